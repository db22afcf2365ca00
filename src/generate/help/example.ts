import type { HelpSection } from './section.ts'

/** What condition C2 adds to C1: one worked program that uses most of the grammar. */
export const example: HelpSection = {
  name: 'example',
  text: `a complete answer to "add up the values of well formed \`name=value\` entries for each name, in order of first appearance; name the first malformed entry":
\`\`\`vox
type Entry = | Pair(name: str, value: int) | Bad(text: str)

fn read_entry(text: str) to Entry {
    let parts = text.split("=")
    if parts.len() isnt 2 {
        return Bad(text)
    }
    let name = parts[0].unwrap().trim()
    match parts[1].unwrap().to_int() {
        Some(value) => { return Pair(name, value) }
        None => { return Bad(text) }
    }
}

fn sum_entries(entries: list[str]) to Result[list[str], str] {
    let mut totals: Map[str, int] = {}
    for text in entries {
        match read_entry(text) {
            Pair(name, value) => {
                totals[name] = totals.get_or(name, 0) + value
            }
            Bad(bad) => {
                return Error("cannot read " + bad)
            }
        }
    }
    let mut lines: list[str] = []
    for name in totals.keys() {
        lines.push(name + ": " + str(totals.get_or(name, 0)))
    }
    let mut i: int = 0
    while i < lines.len() and lines.len() > 1 {
        lines[i] = str(i + 1) + ". " + lines[i].unwrap_or("")
        i += 1
    }
    return Ok(lines)
}
\`\`\``,
}
