import fc from 'fast-check'

/**
 * Source texts built from the grammar with every awkward form in it: operators at line ends, blocks as
 * operands, view calls, an `if` that glues to the next line. Most parse, some do not.
 */
const { statement } = fc.letrec<{ expression: string; block: string; statement: string }>((tie) => {
  const expression = tie('expression')
  const block = tie('block')
  const name = fc.constantFrom('x', 'ys', 'f', 'b', 'key', 'to', 'env', 'Some', 'None', 'r', 'list', 'query')
  const literal = fc.constantFrom(
    '1',
    '007',
    '2.50',
    '"a"',
    "'b'",
    '"{x}"',
    '"p {x} q\\n"',
    "'{x}'",
    'r"\\{x}"',
    '"\\{x}"',
    'true',
    '"\\\\"',
  )
  const join = (...parts: readonly (string | fc.Arbitrary<string>)[]) =>
    fc
      .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
      .map((texts) => texts.join(''))
  const operator = fc.constantFrom('+', '-', '*', '<', '==', 'isnt', 'and', 'or', '|>', 'with', '%')
  const type = fc.constantFrom('int', 'list[int]', 'fn(int) to str', 'fn()', '_', '7')
  return {
    expression: fc.oneof(
      { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
      name,
      literal,
      join(expression, ' ', operator, ' ', expression),
      join('(', expression, ')'),
      join('(', expression, ', ', expression, ')'),
      join('(', expression, ',)'),
      join('[', expression, ', ', expression, ']'),
      join('-', expression),
      join('not ', expression),
      join(expression, '?'),
      join(expression, '(', expression, ')'),
      join(name, '()'),
      join(name, '(k=', expression, ')'),
      join(name, '() { ', expression, '\n', expression, ' }'),
      join(expression, '.at(', expression, ')'),
      join(expression, '.type'),
      join(expression, '[', expression, ']'),
      join('{a: ', expression, ', "b c": ', expression, '}'),
      fc.constant('{}'),
      block,
      join('if ', expression, ' ', block),
      join('if ', expression, ' ', block, ' else ', block),
      join('if ', expression, ' ', block, '\nelse if ', expression, ' ', block),
      join('match ', expression, ' { Some(n) => ', expression, '\n(a, _) => ', expression, ', "s" => return }'),
      join('match ', expression, ' { 1 => break 2 => return ', expression, '\n() => {} }'),
      join('for i in ', expression, ' ', expression),
      join('for i, _ in ', expression, ' key=', expression, ' ', block),
      join('fn(p: ', type, ', q = 1) ', expression),
      join('fn(p) to ', type, ' ', expression),
      join('v => ', expression),
      join('(v, w) => ', expression),
    ),
    block: fc.array(tie('statement'), { minLength: 1, maxLength: 3 }).map((lines) => `{\n${lines.join('\n')}\n}`),
    statement: fc.oneof(
      { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
      expression,
      join('let v = ', expression),
      join('let mut (a, B(_)): ', type, ' = ', expression),
      join(expression, ' = ', expression),
      join('x += ', expression),
      join('return ', expression),
      fc.constantFrom('return', 'break', 'continue', 'b()', '{ x }'),
      join('while ', expression, ' ', block),
      join('loop ', block),
      join(expression, ';'),
    ),
  }
})

const declaration = fc.oneof(
  statement.map((body) => `fn f<T>(a: int = 1, b) uses net, fs to list[int] {\n${body}\n}`),
  statement.map((body) => `@test fn t() {\n${body}\n}`),
  fc.constantFrom(
    'pub @pure fn p() { }',
    'async fn q() { return 1 }',
    'type A = | B | C(x: int, y: fn(int) to T)\n',
    'pub type R { x: int, type: list[str] }',
    'type Z = ',
    'import a.b',
    'import rust:serde',
  ),
)

export const arbitraryStatements: fc.Arbitrary<string> = fc
  .array(statement, { minLength: 1, maxLength: 4 })
  .map((lines) => `fn main() {\n${lines.join('\n')}\n}\n`)

export const arbitraryScript: fc.Arbitrary<string> = fc
  .array(fc.oneof(statement, declaration), { minLength: 1, maxLength: 5 })
  .map((items) => `${items.join('\n')}\n`)

const PIECES =
  '( ) [ ] { } , . : ; ? | |> -> => = == != += + - * / % < > <= </ /> ! @ @test @pure @query @foo " \' \\ & ^ # // \n _ r r" r#" " ' +
  'fn let mut if else while loop break continue match for in to return type import pub async and or not is isnt true false with when spawn ' +
  'workflow side_effect http env state x Foo b main 1 2.5 1.5dec 99999999999999999999 "s" \'s\' "{x}" "{x y}" macro key query uses \u2028 é 🙂'

/** Any sequence of tokens, half tokens and trouble. */
export const arbitrarySoup: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.constantFrom(...PIECES.split(' ')), fc.constantFrom('', ' ', ' ', '\n')), { maxLength: 60 })
  .map((pieces) => pieces.flat().join(''))
