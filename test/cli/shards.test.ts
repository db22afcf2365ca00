import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { shardOf } from '../../src/generate/shard.ts'
import type { Report } from '../../src/report/schema.ts'
import { chatCompletion, sendJson, startServer } from '../models/loopback-server.ts'
import { damage, referenceOf, smallCorpus, temporaryFolder } from '../sweep/small-corpus.ts'
import { buildCli } from './built-cli.ts'
import { startNode } from './cli-process.ts'

vi.setConfig({ testTimeout: 240_000 })

let built: string

beforeAll(async () => {
  built = await buildCli()
})

const SHARDS = 3
const SAMPLES = 2
const references = ['001-luggage-tag', '002-shuttle-wait'].map(referenceOf)

/** Right in every assertion, and wrong on inputs that only a run key can name. */
const sly = references[0]?.replace('to str {', 'to str {\n    if width > 7 {\n        return ""\n    }') ?? ''

/** What a model says to a request, always the same to the same: right, wrong, sly, or no program. */
function answerTo(body: string): string {
  const choice = createHash('sha256').update(body).digest()[0] ?? 0
  const [first = '', second = ''] = body.includes('luggage_tag') ? [references[0], sly] : references.toReversed()
  const program = [first, second, second, first.replaceAll(/\d+/g, '7')][choice % 5]
  return program === undefined ? 'I cannot say.' : `\`\`\`vox\n${program}\n\`\`\``
}

/** A report without what differs between any two runs: its times, its end and its money. */
function comparable({ run: _run, spend: _spend, timing: _timing, ...report }: Report): object {
  const rows = report.rows.map(({ latency: { known, of }, ...row }) => ({ ...row, latency: { known, of } }))
  return JSON.parse(JSON.stringify({ ...report, rows }), (key, value) => (key === 'latencyMs' ? null : value))
}

/** A shard that has something to do in the row C0, and the others. */
const BUSY = shardOf('a/b C0', '001', SHARDS)
const OTHERS = [1, 2, 3].filter((index) => index !== BUSY)

interface Options {
  readonly subject?: object
  readonly fixtures?: number
  readonly [option: string]: unknown
}

/** A folder, an endpoint, and runs over a small corpus whose controls are always the same. */
async function stand({ subject = {}, fixtures = 4, ...options }: Options = {}) {
  const folder = temporaryFolder()
  const seeds: number[] = []
  const endpoint = { onAsked: (_count: number): 'answer' | 'fail' => 'answer' }
  const { baseUrl } = await startServer(({ url, text }, response) => {
    if (url === '/v1/models') return sendJson(response, 200, { object: 'list', data: [{ id: 'a/b' }] })
    seeds.push(JSON.parse(text).seed)
    if (endpoint.onAsked(seeds.length) === 'fail') return sendJson(response, 400, { error: { message: 'not today' } })
    const usage = { prompt_tokens: 900, completion_tokens: 100 }
    sendJson(response, 200, chatCompletion(answerTo(text), { usage }))
  })
  const corpus = smallCorpus(fixtures)
  const env = { XDG_CACHE_HOME: path.join(folder, 'cache') }
  const run = (output: string, more: object = {}) => {
    const config = {
      ...{ corpus, output, n: SAMPLES, concurrency: 3, retries: 0, 'max-spend-usd': 100, condition: ['C0', 'C1'] },
      subjects: [{ model: 'a/b', 'base-url': baseUrl, 'prompt-usd-per-m': 1, 'completion-usd-per-m': 2, ...subject }],
      ...options,
      ...more,
    }
    return startNode([path.join(built, 'fixed-key.js'), 'run', JSON.stringify(config)], { cwd: folder, env }).result
  }
  const cli = (...args: string[]) => startNode([path.join(built, 'cli.js'), ...args], { cwd: folder, env }).result
  return {
    ...{ folder, corpus, seeds, endpoint, run, cli },
    shard: (index: number, more: object = {}) => run(`s${index}`, { shard: `${index}/${SHARDS}`, ...more }),
    async allShards() {
      for (let index = 1; index <= SHARDS; index++) {
        const { code, stderr } = await run(`s${index}`, { shard: `${index}/${SHARDS}` })
        expect(`${stderr}\nexit code ${code}`).toContain('exit code 0')
      }
    },
    merge: (...folders: string[]) => cli('merge', '--output', 'merged', ...folders),
    report: (name = 'merged'): Report => JSON.parse(readFileSync(path.join(folder, name, 'report.json'), 'utf8')),
  }
}

describe.each([
  ['with one turn', {}],
  ['with a second turn', { subject: { fix: true } }],
])('%s', (_, options) => {
  test('shards of a matrix, merged in any order, give the report of one run over everything', async () => {
    const { run, allShards, merge, report, seeds, cli, folder } = await stand(options)
    expect((await run('whole')).code).toBe(0)
    const whole = report('whole')
    const asked = seeds.splice(0).sort()
    await allShards()
    expect(seeds.sort()).toEqual(asked)
    const { code, stderr } = await merge('s2', 's3', 's1')
    expect([code, stderr]).toEqual([0, ''])
    const merged = report()
    expect(comparable(merged)).toEqual(comparable(whole))
    expect(merged.run).toMatchObject({ complete: true, endedBecause: null, runKey: null, shard: null })
    expect(merged.run.shards.map(({ index, runKey }) => [index, runKey])).toEqual(
      [1, 2, 3].map((index) => [index, '5'.repeat(64)]),
    )
    expect(merged.spend.spentUsd).toBeCloseTo(whole.spend.spentUsd, 12)
    expect(merged.spend.capUsd).toBe(100)

    // The journal alone gives the same again.
    expect((await cli('report', 'merged', '--output', 'again')).code).toBe(0)
    for (const file of readdirSync(path.join(folder, 'again')))
      expect(readFileSync(path.join(folder, 'again', file), 'utf8')).toBe(
        readFileSync(path.join(folder, 'merged', file), 'utf8'),
      )
  })
})

test('every verdict of merged shards, each under a key of its own, comes out again', async () => {
  const { folder, corpus, cli, run, report } = await stand()
  const config = path.join(folder, 'sweep.json')
  await run('sample', { shard: `1/${SHARDS}` })
  const {
    shard: _,
    output: __,
    purpose: ___,
    ...sweep
  } = JSON.parse(readFileSync(path.join(folder, 'sample', 'sweep.json'), 'utf8'))
  writeFileSync(config, JSON.stringify(sweep))
  for (const index of [1, 2, 3])
    expect((await cli('run', '--config', config, '--shard', `${index}/3`, '--output', `s${index}`)).code).toBe(0)
  expect((await cli('merge', 's1', 's2', 's3', '--output', 'merged')).code).toBe(0)
  const keys = report().run.shards.map(({ runKey }) => runKey)
  expect(new Set(keys).size).toBe(3)
  const { code, stdout } = await cli('reproduce', '--corpus', corpus, 'merged/report.json')
  expect([code, stdout]).toEqual([0, expect.stringContaining('16 of 16 verdicts came out again')])
  const inputs = report().attempts.map(({ verification }) => verification?.verdict)
  expect(inputs).toContainEqual(expect.objectContaining({ kind: 'wrong-answer', where: 'fresh inputs' }))
  const exchanged = report()
  const states = exchanged.run.shards.map((shard, index) => ({ ...shard, runKey: keys[(index + 1) % 3] ?? null }))
  writeFileSync(
    path.join(folder, 'exchanged.json'),
    JSON.stringify({ ...exchanged, run: { ...exchanged.run, shards: states } }),
  )
  expect((await cli('reproduce', '--corpus', corpus, 'exchanged.json')).code).toBe(1)
  const alone = await cli('reproduce', '--corpus', corpus, 's2/report.json')
  expect([alone.code, alone.stdout]).toEqual([0, expect.stringContaining('verdicts came out again')])
})

test('the report of a shard says loudly that it is one, and nothing may be gated on it', async () => {
  const { shard, report, folder } = await stand()
  expect((await shard(2)).code).toBe(0)
  const { run, gateRefusals, attempts, rows, spend } = report('s2')
  expect(run).toMatchObject({ shard: { index: 2, count: 3 }, complete: true })
  expect(gateRefusals).toEqual(['it is shard 2/3, a part of a run'])
  expect(spend.capUsd).toBeCloseTo(100 / 3, 9)
  const others = attempts.filter(({ cell, fixture }) => shardOf(cell, fixture, 3) !== 2)
  expect(others.length).toBeGreaterThan(0)
  expect(attempts.length).toBeGreaterThan(others.length)
  for (const { completion } of others) expect(completion).toMatchObject({ why: 'other-shard' })
  expect(rows.some(({ headline }) => headline.kind === 'withheld')).toBe(true)
  expect(readFileSync(path.join(folder, 's2', 'summary.md'), 'utf8')).toContain('shard 2/3: a part of the attempts')
})

describe('what is no whole set of shards is refused, and leaves nothing behind', () => {
  async function shards() {
    const made = await stand({ n: 1, condition: ['C0'] })
    await made.allShards()
    const refused = async (...folders: string[]) => {
      const { code, stderr } = await made.merge(...folders)
      expect(code).toBe(2)
      expect(existsSync(path.join(made.folder, 'merged', 'attempts.jsonl'))).toBe(false)
      expect(stderr).toContain('code: merge/refused')
      return stderr
    }
    const change = (name: string, copy: string, from: string | RegExp, to: string) => {
      cpSync(path.join(made.folder, name), path.join(made.folder, copy), { recursive: true })
      const file = path.join(made.folder, copy, 'attempts.jsonl')
      const text = readFileSync(file, 'utf8')
      const changed = text.replaceAll(from, to)
      expect(changed).not.toBe(text)
      writeFileSync(file, changed)
      return copy
    }
    return { ...made, refused, change }
  }

  test('a shard is missing, there twice, of another split, or no shard; all of it is said at once', async () => {
    const { refused, folder, run, shard, merge } = await shards()
    expect(await refused('s1', 's3')).toContain('there is no shard 2/3')
    const twice = await refused('s1', 's2', 's2')
    expect(twice).toContain('shard 2/3 is there 2 times: s2, s2')
    expect(twice).toContain('there is no shard 3/3')
    await run('other', { shard: '1/4' })
    expect(await refused('s1', 's2', 's3', 'other')).toContain(
      'they differ in the number of shards: 3 in shard 1/3 (s1), shard 2/3 (s2), shard 3/3 (s3); 4 in shard 1/4 (other)',
    )
    await run('whole')
    mkdirSync(path.join(folder, 'empty'))
    const none = await refused('s1', 's2', 'whole', 'empty')
    expect(none).toContain('whole: it is a run of its own, not a shard of one')
    expect(none).toContain('empty: There is no journal')
    expect(none).toContain('there is no shard 3/3')
    await shard(1, { n: 2 })
    expect(await refused('s1', 's2', 's3')).toContain('samples: was 2, is 1')
    expect((await merge('merged', 's2')).code).toBe(2)
  })

  test('a journal is damaged, has an attempt twice or one of another shard', async () => {
    const { refused, change, folder } = await shards()
    const [name, other = '', third = ''] = [BUSY, ...OTHERS].map((index) => `s${index}`)
    if (name === undefined) throw new Error('there are no shards')
    const others = [other, third]
    const torn = change(name, 'torn', /^\{"kind":"preflight"/gm, '{"kind":')
    expect(await refused(torn, ...others)).toMatch(/torn: .*attempts.jsonl:2 is not JSON/)
    const journal = readFileSync(path.join(folder, name, 'attempts.jsonl'), 'utf8')
    const line = /^\{"kind":"answered".*$/m.exec(journal)?.[0] ?? ''
    const double = change(name, 'double', line, `${line}\n${line}`)
    expect(await refused(double, ...others)).toContain('a second answer to a/b C0 / ')
    const stray = change(other, 'stray', /^\{"kind":"ended"/gm, `${line}\n{"kind":"ended"`)
    const where = `is of shard ${BUSY}/3, not of ${OTHERS[0]}/3`
    expect(await refused(stray, name, third)).toMatch(new RegExp(`stray: .*${where}`, 's'))
  })

  test('engine, sandbox, tool or plan are not the same', async () => {
    const { refused, change, merge, cli } = await shards()
    const differing = [
      change('s3', 'engine', '"version":"embedded"', '"version":"vox 0.6.0"'),
      change('s3', 'sandbox', '"level":"in-process"', '"level":"none"'),
      change('s3', 'open', '"tcp":true', '"tcp":false'),
      change(
        's3',
        'tool',
        /"tool":\{"name":"vox-efficacy","version":"[^"]*"/g,
        '"tool":{"name":"vox-efficacy","version":"9.9.9"',
      ),
      change('s3', 'plan', '"seed":1,"caps"', '"seed":2,"caps"'),
    ]
    const fields = [
      'they differ in engine version: embedded in shard 1/3 (s1), shard 2/3 (s2); vox 0.6.0 in shard 3/3 (engine)',
      'they differ in sandbox level: in-process in shard 1/3 (s1), shard 2/3 (s2); none in shard 3/3 (sandbox)',
      'they differ in what the sandbox closes, tcp: true in shard 1/3 (s1), shard 2/3 (s2); false in shard 3/3 (open)',
      'they differ in the version of the tool:',
      'shard 3/3 (plan) has another plan than shard 1/3 (s1): seed: was 1, is 2',
    ]
    for (const [index, folder] of differing.entries())
      expect(await refused('s1', 's2', folder)).toContain(fields[index])
    const { code, stderr } = await cli('merge', 's1', 's2', 's3', '--output', 's2')
    expect([code, stderr]).toEqual([2, expect.stringContaining('s2: it is the folder for the merged run as well')])
    expect((await merge('s1', 's2', 's3')).code).toBe(0)
    // Who told a price does not count as long as all were told the same.
    const told = change('s3', 'told', '"source":"declared by the user"', '"source":"somebody else"')
    expect((await cli('merge', 's1', 's2', told, '--output', 'again')).code).toBe(0)
  })
})

test('a shard that stopped at its part of the cap is merged, and the whole is incomplete', async () => {
  const { shard, merge, report, seeds, folder } = await stand({ n: 1, condition: ['C0'] })
  expect((await shard(BUSY)).code).toBe(0)
  const journal = readFileSync(path.join(folder, `s${BUSY}`, 'attempts.jsonl'), 'utf8')
  const [, worst = ''] = /"kind":"reserved".*?"usd":([\d.e-]+)/.exec(journal) ?? []
  // Room for two requests, but for none in a third of it.
  const cap = { 'max-spend-usd': 2 * Number(worst) }
  for (const index of [1, 2, 3]) await shard(index, cap)
  seeds.length = 0
  const { code, stdout } = await merge('s1', 's2', 's3')
  expect([code, stdout]).toEqual([4, expect.stringContaining(`shard ${BUSY}/3: the spend cap was reached`)])
  const { run: state, gateRefusals, spend } = report()
  expect(state.complete).toBe(false)
  expect(gateRefusals.join()).toContain(`shard ${BUSY}/3: the spend cap was reached`)
  expect(spend.spentUsd).toBeLessThanOrEqual(cap['max-spend-usd'])
  expect(existsSync(path.join(folder, 'merged', 'sweep.json'))).toBe(false)
  expect(seeds).toEqual([])
})

test('a shard is resumed as the shard it was, and merged then', async () => {
  const { run, shard, merge, report, seeds, endpoint, cli } = await stand({ condition: ['C0'] })
  expect((await run('whole')).code).toBe(0)
  const whole = seeds.splice(0).sort()
  endpoint.onAsked = (count) => (count % 2 === 0 ? 'fail' : 'answer')
  expect((await shard(BUSY)).code).toBe(4)
  endpoint.onAsked = () => 'answer'
  const first = seeds.splice(0)
  expect((await cli('resume', `s${BUSY}`)).code).toBe(0)
  expect(seeds.every((seed) => first.includes(seed))).toBe(true)
  expect(report(`s${BUSY}`).run).toMatchObject({ shard: { index: BUSY, count: 3 }, resumed: 1, complete: true })
  seeds.length = 0
  for (const index of OTHERS) expect((await shard(index)).code).toBe(0)
  expect([...first, ...seeds].sort()).toEqual(whole)
  expect((await merge('s1', 's2', 's3')).code).toBe(0)
  expect(report().run).toMatchObject({ complete: true, resumed: 1 })
})

test('the cap of the month is split as well', async () => {
  const { shard, folder, report } = await stand({ n: 1, condition: ['C0'] })
  const file = path.join(folder, 'book.jsonl')
  const month = (usd: number) => ({ 'max-spend-usd-per-month': usd, 'spend-file': file })
  expect((await shard(BUSY, month(100))).code).toBe(0)
  const [, worst = ''] = /"kind":"reserved".*?"usd":([\d.e-]+)/.exec(readFileSync(file, 'utf8')) ?? []
  writeFileSync(file, '')
  // Room for two requests, but for none in a third of it.
  expect((await shard(BUSY, month(2 * Number(worst)))).code).toBe(4)
  expect(report(`s${BUSY}`).run.endedBecause).toBe('the spend cap of the month was reached')
  expect(readFileSync(file, 'utf8')).toBe('')
})

test('a plan tells the matrix of its shards, and what each of them makes', async () => {
  const { cli, corpus } = await stand()
  const plan = (...args: string[]) =>
    cli('plan', '--from-dir', '.', '--corpus', corpus, '--condition', 'C0', '--max-spend-usd', '3', ...args)
  const { stdout } = await plan('--shards', '3', '--json')
  expect(JSON.parse(stdout)).toEqual({ include: [{ shard: '1/3' }, { shard: '2/3' }, { shard: '3/3' }] })
  const table = (await plan('--shards', '3')).stdout
  const counts = [...table.matchAll(/^[123]\/3 +(\d+) +\$1\.00 +none$/gm)].map(([, count]) => Number(count))
  expect(counts).toHaveLength(3)
  expect(counts.reduce((sum, each) => sum + each, 0)).toBe(4)
  for (const wrong of ['0', '257', '1.5', 'x']) expect((await plan('--shards', wrong)).code).toBe(2)
})

test.each(['0/3', '4/3', '1/257', '2', 'x/y'])('"%s" is no shard', async (text) => {
  const { cli } = await stand()
  const { code, stderr } = await cli('run', '--from-dir', '.', '--shard', text)
  expect([code, stderr]).toEqual([2, expect.stringContaining('--shard: must be like 2/5')])
})

test('a shard that would be continued as another is refused', async () => {
  const { shard, folder, cli, endpoint } = await stand({ condition: ['C0'] })
  endpoint.onAsked = () => 'fail'
  expect((await shard(BUSY)).code).toBe(4)
  damage(folder, `s${BUSY}/sweep.json`, `"shard": "${BUSY}/3"`, `"shard": "${OTHERS[0]}/3"`)
  const { code, stderr } = await cli('resume', `s${BUSY}`)
  expect([code, stderr]).toEqual([2, expect.stringContaining(`shard: was ${BUSY}/3, is ${OTHERS[0]}/3`)])
})
