import { type CorpusFiles, edit, upstreamCorpus } from './upstream-shape.ts'

/** 001 and 002 are training-eligible, 041 and 042 held out; 001 and 041 take (str, list[str]), 002 and 042 a float. */
const IDS = [1, 2, 41, 42]

/** The corpus that defects are planted in. */
export function soundCorpus(): CorpusFiles {
  return upstreamCorpus(IDS)
}

const MANIFEST = 'manifest.v1.yaml'
const SPEC = 'problems/041-tag-with-41.spec.toml'
const REFERENCE = 'problems/041-tag-with-41/reference.vox'
const TESTS = 'problems/041-tag-with-41/tests.vox'
const FLOAT_TESTS = 'problems/042-widen-by-42/tests.vox'

/** A change of a sound corpus and what must be said of it. */
export interface Defect {
  readonly name: string
  readonly plant: (files: CorpusFiles) => void
  readonly fixture: string
  readonly field: string
  readonly message: RegExp
}

/** A change of one file. */
function change(file: string, from: string | RegExp, to: string) {
  return (files: CorpusFiles) => edit(files, file, from, to)
}

/** A change of the manifest entry of 041. */
function changeEntry(from: string, to: string) {
  return change(MANIFEST, new RegExp(`(?<=- id: "041"[^]*?)${from}`), to)
}

function withDomain(table: string) {
  return (files: CorpusFiles) => files.set(SPEC, `${files.get(SPEC)}\n[domain]\n${table}\n`)
}

const S = 's = { length = [0, 3], alphabet = "ab" }'
const XS = 'xs = { length = [0, 3], item = { values = ["a"] } }'

/** Each makes the corpus unusable. */
export const DEFECTS: readonly Defect[] = [
  // The manifest
  {
    name: 'broken YAML',
    plant: change(MANIFEST, '  id: humaneval-vox', '  id: "humaneval-vox'),
    fixture: 'manifest',
    field: MANIFEST,
    message: /line \d+, column \d+: /,
  },
  {
    name: 'a duplicate YAML key',
    plant: change(MANIFEST, '  status: complete', '  id: again'),
    fixture: 'manifest',
    field: MANIFEST,
    message: /line 7, column 3: .*unique/,
  },
  {
    name: 'no fixtures list',
    plant: change(MANIFEST, 'fixtures:', 'exercises:'),
    fixture: 'manifest',
    field: 'fixtures',
    message: /is missing, so the corpus is empty/,
  },
  {
    name: 'an empty fixtures list',
    plant: change(MANIFEST, /fixtures:[\s\S]*(?=provenance_kinds)/, 'fixtures: []\n'),
    fixture: 'manifest',
    field: 'fixtures',
    message: /is empty/,
  },
  {
    name: 'fixtures that are no list',
    plant: change(MANIFEST, /fixtures:[\s\S]*(?=provenance_kinds)/, 'fixtures: 164\n'),
    fixture: 'manifest',
    field: 'fixtures',
    message: /must be a list/,
  },
  {
    name: 'added_at missing',
    plant: changeEntry('    added_at: 2026-05-26\n', ''),
    fixture: '041',
    field: 'added_at',
    message: /is missing \(line \d+\)/,
  },
  {
    name: 'added_at that is no date',
    plant: changeEntry('2026-05-26', '2026-02-30'),
    fixture: '041',
    field: 'added_at',
    message: /`2026-02-30` is no date/,
  },
  {
    name: 'training_eligible missing',
    plant: changeEntry('    training_eligible: false\n', ''),
    fixture: '041',
    field: 'training_eligible',
    message: /is missing/,
  },
  {
    name: 'training_eligible in quotes',
    plant: changeEntry('training_eligible: false', 'training_eligible: "false"'),
    fixture: '041',
    field: 'training_eligible',
    message: /must be true or false, not `false`/,
  },
  {
    name: 'an id missing',
    plant: change(MANIFEST, '- id: "041"\n    slug', '- slug'),
    fixture: 'entry 3',
    field: 'id',
    message: /is missing/,
  },
  {
    name: 'an invalid id',
    plant: change(MANIFEST, '- id: "041"', '- id: "../041"'),
    fixture: 'entry 3',
    field: 'id',
    message: /is no fixture id/,
  },
  {
    name: 'a duplicate id',
    plant: change(MANIFEST, '- id: "041"', '- id: "002"'),
    fixture: '002',
    field: 'id',
    message: /used by an earlier entry/,
  },
  {
    name: 'files missing',
    plant: changeEntry('    files: .*\n', ''),
    fixture: '041',
    field: 'files',
    message: /is missing/,
  },
  {
    name: 'one file not listed',
    plant: changeEntry(', tests: [^ ]+', ''),
    fixture: '041',
    field: 'files.tests',
    message: /is missing/,
  },
  // The files
  {
    name: 'a file that is not there',
    plant: (files) => files.delete(TESTS),
    fixture: '041',
    field: 'files.tests',
    message: /041-tag-with-41\/tests\.vox does not exist/,
  },
  {
    name: 'an empty file',
    plant: (files) => files.set(REFERENCE, ''),
    fixture: '041',
    field: 'files.reference',
    message: /reference\.vox is empty/,
  },
  {
    name: 'a folder instead of a file',
    plant: changeEntry('(?<=tests: )[^ ]+/tests.vox', 'problems/041-tag-with-41'),
    fixture: '041',
    field: 'files.tests',
    message: /is a folder/,
  },
  {
    name: 'a path that leaves the corpus',
    plant: changeEntry('(?<=tests: )[^ ]+', '../tests.vox'),
    fixture: '041',
    field: 'files.tests',
    message: /outside the corpus folder/,
  },
  {
    name: 'an absolute path',
    plant: changeEntry('(?<=tests: )[^ ]+', '/etc/hostname'),
    fixture: '041',
    field: 'files.tests',
    message: /outside the corpus folder/,
  },
  // Manifest, spec and marker against each other
  {
    name: 'another id in the spec',
    plant: change(SPEC, 'id = "041"', 'id = "040"'),
    fixture: '041',
    field: 'id',
    message: /manifest says `041`.*says `040`/,
  },
  {
    name: 'another training_eligible in the spec',
    plant: change(SPEC, 'training_eligible = false', 'training_eligible = true'),
    fixture: '041',
    field: 'training_eligible',
    message: /manifest says `false`.*says `true`/,
  },
  {
    name: 'another provenance in the spec',
    plant: change(SPEC, '"original"', '"ast-mutation"'),
    fixture: '041',
    field: 'provenance',
    message: /`original`.*`ast-mutation`/,
  },
  {
    name: 'a held-out reference without marker',
    plant: change(REFERENCE, /^.*\n/, ''),
    fixture: '041',
    field: 'training_eligible',
    message: /first line must be/,
  },
  {
    name: 'a held-out test file without marker',
    plant: change(TESTS, /^/, '\n'),
    fixture: '041',
    field: 'training_eligible',
    message: /first line must be/,
  },
  {
    name: 'a training-eligible file marked held out',
    plant: change('problems/001-tag-with-1/tests.vox', /^/, '// training_eligible: false\n'),
    fixture: '001',
    field: 'training_eligible',
    message: /marker says training_eligible: false, the manifest true/,
  },
  // The spec
  {
    name: 'broken TOML',
    plant: change(SPEC, 'tags = []', 'tags = ['),
    fixture: '041',
    field: 'spec',
    message: /\.spec\.toml: line 1\d, column \d+: /,
  },
  {
    name: 'no [problem]',
    plant: change(SPEC, '[problem]', '[exercise]'),
    fixture: '041',
    field: 'spec.problem',
    message: /is missing/,
  },
  {
    name: 'no prompt',
    plant: change(SPEC, /prompt = """[\s\S]*?"""/, ''),
    fixture: '041',
    field: 'spec.prompt',
    message: /is missing/,
  },
  {
    name: 'a blank prompt',
    plant: change(SPEC, /prompt = """[\s\S]*?"""/, 'prompt = " "'),
    fixture: '041',
    field: 'spec.prompt',
    message: /is empty/,
  },
  {
    name: 'no training_eligible in the spec',
    plant: change(SPEC, 'training_eligible = false', ''),
    fixture: '041',
    field: 'spec.training_eligible',
    message: /is missing/,
  },
  {
    name: 'a signature that does not parse',
    plant: change(SPEC, ' to list[str]"', ' to [str]"'),
    fixture: '041',
    field: 'spec.signature',
    message: /uses the type `\[`/,
  },
  {
    name: 'a signature of two lines',
    plant: change(SPEC, /signature = "(.*), xs(.*)"/, 'signature = """$1,\nxs$2"""'),
    fixture: '041',
    field: 'spec.signature',
    message: /one line/,
  },
  {
    name: 'a signature of unknown type',
    plant: change(SPEC, 's: str,', 's: Map[str, int],'),
    fixture: '041',
    field: 'spec.signature',
    message: /type `Map`/,
  },
  // The reference
  {
    name: 'a reference without the entry',
    plant: change(REFERENCE, 'fn tag_with_41', 'fn tag_with_40'),
    fixture: '041',
    field: 'reference',
    message: /no top-level function `tag_with_41`/,
  },
  {
    name: 'a reference of other types',
    plant: change(REFERENCE, 's: str', 's: int'),
    fixture: '041',
    field: 'reference',
    message: /takes int as parameter 1, the signature str/,
  },
  {
    name: 'a reference with another result',
    plant: change(REFERENCE, ') to list[str]', ') to str'),
    fixture: '041',
    field: 'reference',
    message: /returns str, the signature list\[str\]/,
  },
  {
    name: 'a reference with fewer parameters',
    plant: change(REFERENCE, '(s: str, ', '('),
    fixture: '041',
    field: 'reference',
    message: /has 1 parameters, the signature 2/,
  },
  {
    name: 'an entry declared twice',
    plant: (files) => files.set(REFERENCE, `${files.get(REFERENCE)}fn tag_with_41(s: str) to str { return s }\n`),
    fixture: '041',
    field: 'reference',
    message: /2 times/,
  },
  // The tests
  {
    name: 'no main',
    plant: change(TESTS, 'fn main', 'fn check'),
    fixture: '041',
    field: 'tests',
    message: /no `fn main`/,
  },
  {
    name: 'two mains',
    plant: (files) => files.set(TESTS, `${files.get(TESTS)}\nfn main() to str { return "ok" }\n`),
    fixture: '041',
    field: 'tests',
    message: /`fn main` is declared 2 times/,
  },
  {
    name: 'zero assertions',
    plant: change(TESTS, /( {4}assert.*\n)+/, ''),
    fixture: '041',
    field: 'tests',
    message: /main has no assertions/,
  },
  {
    name: 'an assertion with is',
    plant: change(TESTS, '[]) == []', '[]) is []'),
    fixture: '041',
    field: 'tests',
    message: /line 11: main may only hold `assert\(call == literal\)`/,
  },
  {
    name: 'an assertion without a comparison',
    plant: change(TESTS, '[]) == []', '[]).is_empty()'),
    fixture: '041',
    field: 'tests',
    message: /main may only hold/,
  },
  {
    name: 'an assertion of another function',
    plant: change(TESTS, 'assert(tag_with_41("a", [])', 'assert(sorted([])'),
    fixture: '041',
    field: 'tests',
    message: /does not call the entry function/,
  },
  {
    name: 'an expectation that is no literal',
    plant: change(TESTS, '[]) == []', '[]) == [str(1)]'),
    fixture: '041',
    field: 'tests',
    message: /`\[str\(1\)\]`.*is no literal of type list\[str\]/,
  },
  {
    name: 'an expectation of another type',
    plant: change(FLOAT_TESTS, '== 42.5', '== "42.5"'),
    fixture: '042',
    field: 'tests',
    message: /is no literal of type float/,
  },
  {
    name: 'an interpolated expectation',
    plant: change(TESTS, "'{b}==41'", '"{b}==41"'),
    fixture: '041',
    field: 'tests',
    message: /is no literal/,
  },
  {
    name: 'a loop in main',
    plant: change(TESTS, 'fn main() to str {\n', 'fn main() to str {\n    let n = 3\n'),
    fixture: '041',
    field: 'tests',
    message: /main may only hold/,
  },
  {
    name: 'a main that does not return "ok"',
    plant: change(TESTS, 'return "ok"', 'return "fine"'),
    fixture: '041',
    field: 'tests',
    message: /must return "ok"/,
  },
  {
    name: 'a function behind main',
    plant: (files) => files.set(TESTS, `${files.get(TESTS)}fn more() to int { return 1 }\n`),
    fixture: '041',
    field: 'tests',
    message: /main must be the last declaration/,
  },
  {
    name: 'unbalanced brackets',
    plant: change(TESTS, 'return out\n}', 'return out\n'),
    fixture: '041',
    field: 'tests',
    message: /no `fn main`/,
  },
  {
    name: 'a character outside Vox',
    plant: change(TESTS, 'return out', 'return out;'),
    fixture: '041',
    field: 'tests',
    message: /`;` is no Vox token/,
  },
  // The domain
  {
    name: 'a domain that is no table',
    plant: (files) => files.set(SPEC, `domain = 3\n${files.get(SPEC)}`),
    fixture: '041',
    field: 'domain',
    message: /must be a table/,
  },
  {
    name: 'a parameter without shape',
    plant: withDomain(S),
    fixture: '041',
    field: 'domain.xs',
    message: /is missing/,
  },
  {
    name: 'a shape without parameter',
    plant: withDomain(`${S}\n${XS}\nys = { }`),
    fixture: '041',
    field: 'domain.ys',
    message: /is no parameter/,
  },
  {
    name: 'a shape of the wrong type',
    plant: withDomain(`s = { range = [0, 3] }\n${XS}`),
    fixture: '041',
    field: 'domain.s.range',
    message: /is not a key of this shape/,
  },
  {
    name: 'an unknown key',
    plant: withDomain(`s = { length = [0, 3], alphabet = "ab", unique = true }\n${XS}`),
    fixture: '041',
    field: 'domain.s.unique',
    message: /is not a key/,
  },
  {
    name: 'a range upside down',
    plant: withDomain(`s = { length = [3, 0], alphabet = "ab" }\n${XS}`),
    fixture: '041',
    field: 'domain.s.length',
    message: /begins at 3, above its end 0/,
  },
  {
    name: 'values of the wrong type',
    plant: withDomain(`${S}\nxs = { length = [0, 3], item = { values = ["a", 7] } }`),
    fixture: '041',
    field: 'domain.xs.item.values',
    message: /holds `7`, which is no str/,
  },
]

/** Each is told of and does not stop a run. */
export const FINDINGS: readonly Defect[] = [
  {
    name: 'a stale held_out_current',
    plant: change(MANIFEST, 'held_out_current: 2', 'held_out_current: 44'),
    fixture: 'manifest',
    field: 'corpus.held_out_current',
    message: /declares 44, but `fixtures` holds 2/,
  },
  {
    name: 'a stale count_current',
    plant: change(MANIFEST, 'count_current: 4', 'count_current: 120'),
    fixture: 'manifest',
    field: 'corpus.count_current',
    message: /declares 120, but `fixtures` holds 4/,
  },
  {
    name: 'another title in the spec',
    plant: change(SPEC, /title = ".*"/, 'title = "Other"'),
    fixture: '041',
    field: 'title',
    message: /`tag with 41`.*`Other`/,
  },
  {
    name: 'tests of another reference',
    plant: change(TESTS, 'out.push(s + x', 'out.push(x + s'),
    fixture: '041',
    field: 'tests',
    message: /is not the reference/,
  },
]
