/** What each part of the caveat is about, by its id. */
export const caveatTitles: Readonly<Record<string, string>> = {
  power: 'What a difference takes',
  claims: 'What may be claimed',
  incomplete: 'Not complete',
  purpose: 'Purpose',
  split: 'Split',
  engine: 'Engine',
  excluded: 'Problems left out',
  sandbox: 'Sandbox',
  recording: 'Recorded answers',
  model: 'Another model',
  origin: 'Origin of the problems',
  cutoff: 'Contamination',
  coverage: 'Coverage of the language',
  families: 'Families',
  findings: 'Findings in the corpus',
  conflict: 'Conflict of interest',
}
