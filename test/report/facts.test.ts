import { expect, test } from 'vitest'
import { describeSampling, listFacts } from '../../src/report/facts.ts'
import { sampleSubject } from '../score/sample-run.ts'
import { sampleReport } from './sample-report.ts'

const LEFT_OPEN = { temperature: null, topP: null, maxTokens: null, reasoningEffort: null }

test('what a request leaves open is left to the endpoint', () => {
  expect(describeSampling(sampleSubject('model', { sampling: LEFT_OPEN }))).toBe(
    'temperature left to the endpoint, top_p left to the endpoint, tokens of an answer left to the endpoint',
  )
})

test('what is not known of answers obtained elsewhere is unknown', () => {
  const recording = { obtained: 'read from a folder of answers', date: null, isBatched: null }
  expect(describeSampling(sampleSubject('model', { sampling: LEFT_OPEN, recording }))).toBe(
    'temperature unknown, top_p unknown, tokens of an answer unknown',
  )
  expect(describeSampling(sampleSubject('model', { recording }))).toBe(
    'temperature 0, top_p unknown, at most 4096 tokens',
  )
})

test('a killed run never says that there was no cap: its journal does not tell', async () => {
  const report = await sampleReport({ fixtures: 1 })
  const killed = { ...report, spend: { ...report.spend, capUsd: null, isUpperBound: true } }
  const money = (of: typeof report) => listFacts(of).find(([name]) => name === 'Money')?.[1]
  expect(money(killed)).toContain('cap unknown')
  expect(money({ ...report, spend: { ...report.spend, capUsd: null } })).toContain('no cap')
})
