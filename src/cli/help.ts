import { VERSION } from '../version.ts'
import type { Command } from './command.ts'
import { commands } from './commands.ts'

/** What `vox-efficacy --help` prints. */
export function overview(): string {
  const rows = [...commands].map(([name, { summary }]) => [name, summary] as const)
  return `vox-efficacy ${VERSION}: how well do language models write Vox?

Usage: vox-efficacy <command> [options]

${columns(rows)}

Start with:
  vox-efficacy demo
  vox-efficacy run --model vendor/model --condition C0,C1 --max-spend-usd 2 \\
      --prompt-usd-per-m 0.15 --completion-usd-per-m 0.60

Every command explains itself: vox-efficacy <command> --help
Exit codes: 0 fine, 1 the check says no, 2 usage, configuration or corpus, 3 infrastructure, 4 incomplete`
}

/** What `vox-efficacy <group>` prints, for the first word of several commands; null for any other word. */
export function groupHelp(group: string): string | null {
  const rows = [...commands].flatMap(([name, { summary }]) =>
    name.startsWith(`${group} `) ? [[name, summary] as const] : [],
  )
  if (rows.length === 0) return null
  return `Usage: vox-efficacy ${group} <command> [options]

${columns(rows)}

Every command explains itself: vox-efficacy ${rows[0]?.[0]} --help`
}

/** What `vox-efficacy <name> --help` prints. */
export function commandHelp(name: string, command: Command): string {
  const options = [...command.options, { name: 'help', value: '', help: 'this text' }]
  const rows = options.map(
    (option) => [`--${option.name}${option.value === '' ? '' : ` ${option.value}`}`, option.help] as const,
  )
  const examples = command.examples
    .map((example) => `  vox-efficacy ${name}${example === '' ? '' : ` ${example}`}`)
    .join('\n')
  return `Usage: vox-efficacy ${command.usage}\n\n${command.about}\n\nOptions\n${columns(rows)}\n\nExamples\n${examples}`
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
