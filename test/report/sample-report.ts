import { buildReport } from '../../src/report/build-report.ts'
import { type Report, reportSchema } from '../../src/report/schema.ts'
import { joinRecords } from '../../src/score/join-records.ts'
import { type SampleOptions, sampleLines } from '../score/sample-run.ts'

export async function sampleReport(options: SampleOptions = {}): Promise<Report> {
  return buildReport(await joinRecords(sampleLines(options)))
}

/** Everything a text could try on a page, a summary, a log or a terminal. */
export const HOSTILE =
  '| `x` @team #1 GH-2 **b** _i_ [l](javascript:1) "><img src=x onerror=alert(1)><b> www.a.example http://a.example ~~s~~ <script>alert(1)</script></style></pre></details>&lt; :smile: $x$ \\ ::error::x\n## h\n\n- item\n| a | b |\n```\n::set-output name=a::b\u001b[31m\u202e\u0000'

/** Keys whose values are words of the schema. */
const FIXED = new Set([
  'kind',
  'purpose',
  'split',
  'severity',
  'outcome',
  'stage',
  'why',
  'where',
  'resource',
  'obtainedAt',
  'provenance',
  'level',
])

/** The report with hostile text in every text a stranger could write: equal texts stay equal, so that links hold. */
export function makeHostile(report: Report): Report {
  return reportSchema.parse(map(report))
}

function map(value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    const isFixed = FIXED.has(key) || value === 'vox-efficacy' || (key === 'class' && value === 'rate')
    return isFixed ? value : `${value}${HOSTILE}`
  }
  if (Array.isArray(value)) return value.map((each) => map(each, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, map(each, name)]))
}
