/** What one job of a run told, read from act's text log. */
export interface JobLog {
  readonly name: string
  readonly succeeded: boolean | null
  /** By name; where several steps set one, what the last set. */
  readonly outputs: Readonly<Record<string, string>>
  /** One for each step that wrote any, in their order. */
  readonly summaries: readonly string[]
  /** `error title=T,file=F::text` and the like, as the commands came. */
  readonly annotations: readonly string[]
}

/** Every line begins with the job's name, but for the further ones of what has several. */
const HEAD = /^\[([^\]]*)\] ?(.*)$/

/**
 * Reads the log by job. Lines that do not begin with a job's name belong to what came right before, which holds as long as jobs do not
 * run at the same time.
 */
export function readJobs(log: string): readonly JobLog[] {
  const entries = new Map<string, string[]>()
  let current: string[] = []
  for (const line of log.split('\n')) {
    const [, job, text] = HEAD.exec(line) ?? []
    if (job === undefined || text === undefined) {
      if (current.length > 0) current.push(`${current.pop()}\n${line}`)
      continue
    }
    const name = job.trim()
    current = entries.get(name) ?? []
    entries.set(name, current)
    current.push(text.trimStart())
  }
  return [...entries].map(([name, texts]) => ({ name, ...readJob(texts) }))
}

function readJob(texts: readonly string[]): Omit<JobLog, 'name'> {
  const after = (mark: string) => texts.flatMap((text) => (text.startsWith(mark) ? [text.slice(mark.length)] : []))
  return {
    succeeded: texts.some((text) => text.startsWith('🏁  Job succeeded'))
      ? true
      : texts.some((text) => text.startsWith('🏁  Job failed'))
        ? false
        : null,
    outputs: Object.fromEntries(
      after('⚙  ::set-output:: ').map((text) => {
        const at = text.indexOf('=')
        return [text.slice(0, at), text.slice(at + 1)]
      }),
    ),
    summaries: after('⚙  Summary - '),
    annotations: texts.flatMap((text) => /^\S+ +::((?:error|warning|notice)[ :][\s\S]*)$/u.exec(text)?.[1] ?? []),
  }
}
