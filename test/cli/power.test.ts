import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { power } from '../../src/cli/commands/power.ts'
import { buildCli } from './built-cli.ts'
import { startNode } from './cli-process.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'vox-power-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the command prints for those options. */
async function print(options: Readonly<Record<string, string | true>>): Promise<string> {
  const printed: string[] = []
  const terminal = {
    out: (text: string) => printed.push(text),
    note: () => {},
    live: () => {},
    isInteractive: false,
  }
  const signal = new AbortController().signal
  expect(await power.run({ options, positionals: [], terminal, signal, finishOnSignal: () => {} })).toBe(0)
  return printed.join('\n')
}

const fieldsOf = (line: string) => line.trim().split(/\s{2,}/)

test('the table has each gap with its power and the problems it takes', async () => {
  const lines = (await print({ n: '31' })).split('\n').map(fieldsOf)
  expect(lines).toContainEqual(['a', '5 points', '1.4 % to 3.2 %', '337 to 658'])
  expect(lines).toContainEqual(['b', '10 points', '10.3 % to 10.7 %', '122 to 207'])
  expect(lines).toContainEqual(['c', '15 points', '21.8 % to 28.4 %', '72 to 112'])
  expect(lines).toContainEqual(['d', '20 points', '36.3 % to 50 %', '50 to 73'])
})

test('a gap of its own joins the table in its place, once', async () => {
  const rowsOf = async (gap: string) =>
    (await print({ gap })).split('\n').flatMap((line) => (/^[a-e] {2}/.test(line) ? [fieldsOf(line)[1]] : []))
  expect(await rowsOf('0.125')).toEqual(['5 points', '10 points', '12.5 points', '15 points', '20 points'])
  expect(await rowsOf('0.10')).toEqual(['5 points', '10 points', '15 points', '20 points'])
})

test('six models split alpha between fifteen pairs, which takes more problems', async () => {
  const { alpha, familyAlpha, comparisons, byModels } = JSON.parse(
    await print({ models: '6', discordance: '0.025-0.15', json: true }),
  )
  expect({ familyAlpha, comparisons }).toEqual({ familyAlpha: 0.05, comparisons: 15 })
  expect(alpha).toBeCloseTo(0.05 / 15, 12)
  const six = byModels.find(({ models }: { models: number }) => models === 6)
  expect(six.neededN).toEqual({ min: 209, max: 582 })
  expect(six.at[0]).toEqual({ discordance: 0.025, neededN: 209 })
})

test('the planned discordance is that of checkpoints, of models with --models, or what was given', async () => {
  const rangeOf = async (options: Record<string, string>) =>
    JSON.parse(await print({ ...options, json: true })).discordance
  expect(await rangeOf({})).toEqual({ min: 0.025, max: 0.075 })
  expect(await rangeOf({ models: '3' })).toEqual({ min: 0.025, max: 0.2 })
  expect(await rangeOf({ models: '3', discordance: '0.01-0.05' })).toEqual({ min: 0.01, max: 0.05 })
  expect(await rangeOf({ discordance: '.05' })).toEqual({ min: 0.05, max: 0.05 })
})

test('the plot marks where each gap reaches the target, on the line of the target', async () => {
  const plot = (await print({ n: '31' })).split('\n')
  const target = plot.find((line) => line.startsWith(' 80 % ┤')) ?? ''
  const axis = plot[plot.findIndex((line) => line.includes('└')) + 1] ?? ''
  // Two ends a gap; 72 and 73 problems share a column.
  expect([...target].filter((character) => character === '●').length).toBe(7)
  // 207 problems are marked just right of the tick of 200.
  expect(target[axis.indexOf('200') + 2]).toBe('●')
  expect(plot.every((line) => line.length <= 110)).toBe(true)
})

test('the SVG is the same each time, needs nothing from elsewhere, and says its numbers in words', async () => {
  const files = ['one.svg', 'two.svg'].map((name) => path.join(folder, name))
  for (const svg of files) await print({ n: '40', models: '3', svg })
  const [one, two] = files.map((file) => readFileSync(file, 'utf8'))
  expect(one).toBe(two)
  expect(one).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" /)
  expect(one?.match(/https?:/g)?.length).toBe(1)
  expect(one).not.toMatch(/<script|NaN|Infinity|undefined/)
  expect(one?.match(/<circle /g)?.length).toBe(8)
  expect(one).toMatch(/aria-label="[^"]*10 points: power [^"]*, needed \d+ to \d+/)
})

test('every problem of the numbers is named at once', async () => {
  await expect(print({ n: '1.5', alpha: '3', discordance: '0.5', models: '1' })).rejects.toMatchObject({
    code: 'usage/power',
    message: expect.stringMatching(/cannot pass 1.*alpha.*n must be.*models/),
  })
})

test.each(['', 'x', '0.1-', '0.1-0.2-0.3', '-0.1', '5%'])('a discordance of "%s" is refused', async (discordance) => {
  await expect(print({ discordance })).rejects.toMatchObject({ code: expect.stringMatching(/^usage\//) })
})

test('a picture that cannot be written is an error that names the file', async () => {
  const svg = path.join(folder, 'missing', 'power.svg')
  await expect(print({ svg })).rejects.toMatchObject({
    code: 'infra/unwritable',
    message: expect.stringContaining(svg),
  })
})

test('the built command prints the plot and writes the picture', async () => {
  const built = await buildCli()
  const file = path.join(folder, 'process.svg')
  const { result } = startNode([path.join(built, 'cli.js'), 'power', '--n', '31', '--svg', file])
  const { code, stdout, stderr } = await result
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('122 to 207')
  expect(readFileSync(file, 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\n$/)
})

test('the columns of discordance have two digits where they need them', async () => {
  expect(await print({ models: '6' })).toContain('at 11.25 %')
})

test.each([
  [{ n: '0' }, '--n: '],
  [{ gap: '0' }, '--gap: '],
])('%j is refused', async (options, words) => {
  await expect(print(options)).rejects.toMatchObject({ code: 'usage/power', message: expect.stringContaining(words) })
})
