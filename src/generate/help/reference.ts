import type { HelpSection } from './section.ts'

/** What condition C3 adds to C2: the syntax reference. */
export const reference: readonly HelpSection[] = [
  {
    name: 'lexical',
    text: `names start with a lower-case letter or \`_\`, types and variants with an upper-case one. Comments run from \`//\` or \`#\` to the end of the line; there are no block comments. Ints are decimal digits only, floats need digits on both sides of the point. Strings use \`"\` or \`'\` with the escapes \`\\n \\t \\r \\\\ \\" \\' \\0\`; \`r"..."\` is raw. In double quotes \`{name}\` inserts a variable (a bare name only, and escapes are then left as they are); use single quotes for text with braces. Reserved, not usable as names: \`fn let async mut if else while loop break continue match when fetching empty for in to return type dec import extern actor workflow activity side_effect spawn http pub with on state derived effect mount cleanup view component agent migrate env and or not is isnt true false fragment\`.`,
  },
  {
    name: 'lines',
    text: `a newline ends an expression. An operator or a \`.method()\` may neither end a line nor begin one, not even inside parentheses. Lists, call arguments and objects may spread over lines after \`[\`, \`(\`, \`{\` or a comma. A function header, an \`if\`, a \`while\` and a \`match\` head stand on one line up to their \`{\`. \`else\` may follow on the next line. After an \`if\` without \`else\`, do not begin the next line with \`(\`, \`[\` or \`-\`.`,
  },
  {
    name: 'precedence',
    text: `from loose to tight: \`|>\`; \`or\`; \`and\`; \`is isnt == !=\`; \`< > <= >=\`; \`+ -\`; \`* / %\`; prefix \`not\` and \`-\`; then calls, fields, indexes; all left-associative. \`not\` takes only the operand next to it. Comparisons do not chain. \`a |> f\` is \`f(a)\`. \`is not\` is not an operator; write \`isnt\`.`,
  },
  {
    name: 'functions',
    text: `\`fn f(a: int, b: list[str]) to Option[int] { ... }\`. No default or named arguments, no overloads, no nested \`fn\` declarations, no tuple in a signature. A call gives exactly as many arguments as there are parameters. Recursion works, some 900 levels deep. A function that is called with no arguments needs a name of several ordinary lower-case letters that is not an HTML tag (\`table()\`, \`code()\`, \`g()\` are not calls).`,
  },
  {
    name: 'typing',
    text: `\`int\` and \`float\` do not convert by themselves where a type is declared: write \`1.0\` or \`float(n)\` for a float. An empty list or map takes its type from the annotation: \`let mut out: list[int] = []\`, \`let m: Map[str, int] = {}\`; only str keys. A record literal gets its type where one is declared as result or parameter, not in an annotated \`let\`. Type names must be spelled exactly: \`str\`, not \`string\`.`,
  },
  {
    name: 'assignment',
    text: `\`x = e\`, \`x += e\`, \`-= *= /=\` on a \`let mut\`; \`xs[i] = v\` on a plain variable (out of range is ignored); \`m[k] = v\` inserts or replaces. Field assignment \`p.x = v\`, nested \`g[i][j] = v\` and \`xs[i] += v\` do not work: build a new record, or copy the row out, change it and store it back. \`let (a, b) = (1, 2)\` takes a tuple apart. Shadowing by a new \`let\` is fine.`,
  },
  {
    name: 'match-and-option',
    text: `patterns: \`_\`, a name, an int, a double-quoted string, a tuple, \`Some(p)\`, \`None\`, \`Ok(p)\`, \`Err(p)\`, your own variants. No negative numbers, booleans, floats, guards or alternatives. An arm is an expression, a block, or a bare \`return\`, \`break\`, \`continue\`; an assignment needs a block. Option: \`is_some() is_none() unwrap() unwrap_or(d) expect(msg) map(f) and_then(f) filter(f)\`. Result: \`is_ok() is_err() ok() err() unwrap() unwrap_err() unwrap_or(d) map(f) map_err(f) and_then(f)\`. \`let v = f()?\` returns early on \`None\` or an error; use it only as the whole right side. A local that holds a literal \`None\` has no methods: match it.`,
  },
  {
    name: 'built-in-functions',
    text: `\`print(x, ...)\`, \`assert(c)\`, \`len(x)\`, \`str(x)\`, \`int(x)\` (0 for text that is no number), \`float(x)\`, \`range(n)\`, \`range(a, b)\` (b not included, no step), \`abs(x)\`, \`floor(x) ceil(x) round(x) sqrt(x)\` (float to float), \`max(a, b)\` and \`min(a, b)\` (two ints), \`sorted(xs)\`, \`sum(xs)\`, \`chr(n)\`. Do not give these names to your own functions.`,
  },
  {
    name: 'number-methods',
    text: `int: \`to_str() abs() min(n) max(n)\`; float: \`to_str() abs() floor() ceil() round() sqrt()\`. There is no \`pow\`. \`-7 / 2\` is \`-3\` and \`-7 % 2\` is \`-1\`; \`%\` is for ints only. Dividing an int by zero is an error.`,
  },
  {
    name: 'str-methods',
    text: `\`len()\` (bytes), \`chars_count()\`, \`is_empty()\`, \`to_upper() to_lower() trim() trim_start() trim_end()\`, \`contains(t) starts_with(t) ends_with(t)\`, \`split(sep)\`, \`replace(a, b)\`, \`repeat(n)\`, \`count(t)\`, \`is_alpha() is_digit() is_alnum() is_upper() is_lower()\`, \`ord()\`, \`chars()\`, \`slice(a, b)\` (clamped), \`char_at(i)\` and \`index_of(t)\` and \`to_int()\` and \`to_float()\` (Options). Positions count characters. \`for c in s\` yields letters without methods; use \`s.chars()\`. Strings have no \`<\`.`,
  },
  {
    name: 'list-methods',
    text: `statements that change the variable: \`push(v) extend(ys) remove(v) remove_at(i) reverse()\`. Values: \`len() is_empty() get(i) first() last() max() min()\` (the last five Options), \`contains(v) index(v)\` (-1 when absent), \`count(v) reversed() sorted() sum() flatten() join(sep) slice_list(start)\`, \`zip(ys)\` and \`enumerate()\` (lists of two-element lists), \`map(f) filter(f) any(f) all(f) fold(init, fn(acc, x) ...)\`, \`sorted_by_key(f)\`, \`sorted_by(fn(a, b) ...)\` with an int as result. Avoid \`pop\` and \`append\`.`,
  },
  {
    name: 'map-methods',
    text: `\`get(k)\` (Option), \`get_or(k, d)\`, \`contains_key(k)\`, \`len()\`, \`keys()\`, \`values()\`; statements \`insert(k, v)\`, \`remove(k)\`. Entries keep the order of insertion; \`for e in m { match e { (k, v) => { ... } } }\` visits them.`,
  },
]
