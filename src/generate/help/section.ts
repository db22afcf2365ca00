/** A named part of a help text; ladders and ablations are made of whole sections. */
export interface HelpSection {
  readonly name: string
  readonly text: string
}

/** The sections as a prompt shows them: a paragraph each, led by the name. */
export function renderSections(sections: readonly HelpSection[]): string {
  return sections.map((section) => `${section.name}: ${section.text}`).join('\n\n')
}
