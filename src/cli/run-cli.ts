import { inspect, parseArgs } from 'node:util'
import { BenchError } from '../bench-error.ts'
import { nearest, suggestion } from '../config/nearest.ts'
import { plainText } from '../report/plain-text.ts'
import { VERSION } from '../version.ts'
import { type Command, exitCodes } from './command.ts'
import { commands } from './commands.ts'
import { commandHelp, groupHelp, overview } from './help.ts'
import { createTerminal, type Terminal } from './terminal.ts'

/** Runs one command line and gives its exit code; the only place that turns errors into text. */
export async function runCli(args: readonly string[]): Promise<number> {
  const terminal = createTerminal(process.stdout, process.stderr, process.env)
  const interruption = listenForSignals(terminal)
  try {
    return await dispatch(args, terminal, interruption)
  } catch (error) {
    terminal.live(null)
    if (!(error instanceof BenchError)) {
      terminal.note(`This is a fault of vox-efficacy ${VERSION}; please report it with this text:\n${inspect(error)}`)
      return exitCodes.infrastructure
    }
    const { message, hint, code } = error
    for (const line of `error: ${message}\nhint: ${hint}\ncode: ${code}`.split('\n')) terminal.note(plainText(line))
    return code.startsWith('infra/') ? exitCodes.infrastructure : exitCodes.usage
  } finally {
    interruption.end()
  }
}

interface Interruption {
  readonly signal: AbortSignal
  /** The command under way has something to finish once the signal is aborted. */
  isAwaited: boolean
  end(): void
}

/**
 * The first signal lets a command that has a journal to finish do so; any other ends the process at once, by `exit`
 * rather than by default, so that what must be cleaned up at exit is.
 */
function listenForSignals(terminal: Terminal): Interruption {
  const cancel = new AbortController()
  const interruption = { signal: cancel.signal, isAwaited: false, end }
  const stop = (signal: 'SIGINT' | 'SIGTERM') => {
    if (!interruption.isAwaited || cancel.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143)
    terminal.note('Stopping: finishing the journal. Press Ctrl-C again to end at once.')
    cancel.abort()
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  function end() {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
  return interruption
}

async function dispatch(args: readonly string[], terminal: Terminal, interruption: Interruption): Promise<number> {
  const [first] = args
  if (first === '--version' || first === '-V') {
    terminal.out(`vox-efficacy ${VERSION}`)
    return exitCodes.fine
  }
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    const topic = args.slice(1).join(' ')
    const command = commands.get(topic)
    terminal.out(command === undefined ? (groupHelp(topic) ?? overview()) : commandHelp(topic, await command.load()))
    return exitCodes.fine
  }
  const words = commands.has(args.slice(0, 2).join(' ')) ? 2 : 1
  const name = args.slice(0, words).join(' ')
  const entry = commands.get(name)
  if (entry === undefined) {
    const group = groupHelp(first)
    if (group === null || !isHelpOrNothing(args[1])) throw unknownCommand(group === null ? [first] : args.slice(0, 2))
    terminal.out(group)
    return exitCodes.fine
  }
  const command = await entry.load()
  const given = parse(name, command, args.slice(words))
  if (given.wantsHelp) {
    terminal.out(commandHelp(name, command))
    return exitCodes.fine
  }
  return command.run({
    options: given.options,
    positionals: given.positionals,
    terminal,
    signal: interruption.signal,
    finishOnSignal() {
      interruption.isAwaited = true
    },
  })
}

function isHelpOrNothing(word: string | undefined): boolean {
  return word === undefined || word === '--help' || word === '-h'
}

/** Of two words the first is that of several commands, and only those can have been meant. */
function unknownCommand(words: readonly string[]): BenchError {
  const name = words.join(' ')
  const names = [...commands.keys()].filter((each) => words.length === 1 || each.startsWith(`${words[0]} `))
  return new BenchError({
    code: 'usage/unknown-command',
    message: `There is no command "${name}".`,
    hint: `The commands are: ${names.join(', ')}.${suggestion(name, names)}`,
  })
}

function parse(name: string, command: Command, args: readonly string[]) {
  const options = Object.fromEntries(
    command.options.map((option) => [option.name, { type: option.value === '' ? 'boolean' : 'string' } as const]),
  )
  let parsed: { values: Record<string, unknown>; positionals: string[] }
  try {
    parsed = parseArgs({
      args: [...args],
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
  } catch (error) {
    throw usage(name, wordParseError(error as NodeJS.ErrnoException, command))
  }
  const { help, ...values } = parsed.values
  const required = command.positionals.filter((positional) => positional.isRequired)
  if (help !== true && parsed.positionals.length < required.length) {
    throw usage(name, `${required[parsed.positionals.length]?.name} is missing`)
  }
  const isRepeated = command.positionals.at(-1)?.isRepeated === true
  if (parsed.positionals.length > command.positionals.length && !isRepeated) {
    throw usage(name, `unexpected argument "${parsed.positionals[command.positionals.length]}"`)
  }
  return {
    wantsHelp: help === true,
    options: values as Record<string, string | true | undefined>,
    positionals: parsed.positionals,
  }
}

function wordParseError({ code, message }: NodeJS.ErrnoException, command: Command): string {
  const typed = /'--?([^']+)'/.exec(message)?.[1]
  if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION' || typed === undefined) return message.replace(/\.$/, '')
  const words = command.options.map((option) => option.name)
  const meant = nearest(typed, words)
  return meant === null ? `there is no option --${typed}` : `there is no option --${typed}; did you mean --${meant}`
}

function usage(name: string, problem: string): BenchError {
  return new BenchError({
    code: 'usage/arguments',
    message: `${name}: ${problem}.`,
    hint: `See: vox-efficacy ${name} --help`,
  })
}
