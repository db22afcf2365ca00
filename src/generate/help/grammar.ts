import type { HelpSection } from './section.ts'

/** Condition C1: a compact grammar of Vox. The sections stand in order of how much each teaches a newcomer. */
export const grammar: readonly HelpSection[] = [
  {
    name: 'shape',
    text: `A file holds only \`fn\` and \`type\` declarations. Annotate everything, always \`return\`; newlines end statements (never break a line at an operator); comments are \`//\`.
\`fn area(w: int, h: int) to int { return w * h }\``,
  },
  {
    name: 'options',
    text: `\`xs[i]\`, \`s[i]\`, \`m["k"]\` give an \`Option\`, \`None\` when out of range or negative. Write \`xs[i].unwrap() + 1\`, \`xs[i].unwrap_or(0)\` or \`match\`; never \`xs[i] + 1\`.`,
  },
  {
    name: 'operators',
    text: `Equality: \`is\`, \`isnt\`. Logic: \`and\`, \`or\`, \`not (a is b)\`. No \`&&\`, \`||\`, \`!\`, \`++\`, \`?:\`, \`;\`. \`<\` compares numbers only. \`+\` joins if one side is a str.`,
  },
  {
    name: 'bindings',
    text: `\`let x = 1\` is fixed; \`let mut n: int = 0\` allows \`n += 1\`. Parameters are fixed. Types: \`int float str bool list[int] Option[int] Result[int, str] Map[str, int]\`. All are values, passed as copies.`,
  },
  {
    name: 'control',
    text: `\`if c { } else if d { } else { }\`, \`while c { }\`, \`loop { }\`, \`for x in xs { }\`, \`for x, i in xs { }\`, \`for i in range(0, n) { }\`. Never \`break\` out of a \`for\` (use \`while\`); \`continue\` and \`return\` are fine.`,
  },
  {
    name: 'match',
    text: `\`match o { Some(v) => { return v } None => { return 0 } }\`, an arm a line. Cover every case or end with \`_ =>\`. No guards or \`|\`.`,
  },
  {
    name: 'strings',
    text: `\`"{name}"\` interpolates a bare name; otherwise join with \`+ str(n)\`. \`s.len() s.chars() s.slice(a, b) s.contains(t) s.split(t) s.replace(a, b) s.trim() s.to_upper() s.repeat(n)\`; \`s.to_int()\` and \`s.index_of(t)\` are Options. Loop over \`s.chars()\`; \`c.ord()\`, \`chr(65)\`.`,
  },
  {
    name: 'lists',
    text: `Statements \`xs.push(v)\`, \`xs.extend(ys)\`, \`xs[i] = v\` change \`xs\`. \`xs.len() xs.contains(v) xs.reversed() xs.sorted() xs.sum() xs.join(t) xs.map(f) xs.filter(f) xs.fold(init, f)\`. No slices, no \`xs + ys\`; for \`g[i][j] = v\` take the row out, change it, put it back.`,
  },
  {
    name: 'numbers',
    text: `\`/\` on ints truncates towards zero, \`%\` has the sign of the left side, overflow is an error. Convert: \`float(n)\`, \`int(x)\`. \`max(a, b)\`, \`min(a, b)\`.`,
  },
  {
    name: 'types',
    text: `\`type Shape = | Dot | Box(w: int, h: int)\`, built as \`Dot\`, \`Box(2, 3)\`. \`type Point { x: int, y: int }\`, built by \`return {x: 1, y: 2}\`. Results: \`Ok(v)\`, \`Error(e)\`; matched \`Ok(v)\`, \`Err(e)\`.`,
  },
  {
    name: 'maps',
    text: `\`let mut m: Map[str, int] = {}\`, \`m[k] = v\`, \`m.get_or(k, 0)\`, \`m.contains_key(k)\`, \`m.keys()\`; str keys only.`,
  },
  {
    name: 'lambdas',
    text: `\`fn(x: int) to int { return x * 2 }\` or \`x => x * 2\`.`,
  },
]
