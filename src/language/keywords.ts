/** Words that never lex as plain identifiers. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set(
  (
    'fn let async mut if else while loop break continue match when fetching empty for in to return type dec import extern ' +
    'actor workflow activity side_effect spawn http pub with on state derived effect mount cleanup view component agent ' +
    'migrate env and or not is isnt true false fragment'
  ).split(' '),
)

/** Reserved words that may still name a parameter, field, method or function. */
export const NAMEABLE_WORDS: ReadonlySet<string> = new Set(
  'type on state derived effect mount cleanup view component http env to in'.split(' '),
)

/** Reserved words that read as a variable in expression position. */
export const READABLE_WORDS: ReadonlySet<string> = new Set(['env', 'to', 'http'])

/** Reserved words that may be an object key. */
export const KEY_WORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in'])

/** Decorators that were replaced by soft keywords; using one is an error. */
export const RETIRED_DECORATORS: ReadonlySet<string> = new Set(
  'query mutation server tool resource table index form'.split(' '),
)

/** Decorators that may stand between `pub` or `async` and `fn`. */
export const MODIFIER_DECORATORS: ReadonlySet<string> = new Set(
  (
    'require ensure invariant fuzz pure traced remote ai prompt subagent search hole inference training_step deprecated place ' +
    'uses auth cors rate_limit pii embed webhook offline_capable collaborative layer'
  ).split(' '),
)

/** Decorators that may stand in front of `fn`. */
export const FUNCTION_DECORATORS: ReadonlySet<string> = new Set([
  ...MODIFIER_DECORATORS,
  'reactive',
  'versioned',
  'tracked',
])

/** Every other decorator word the lexer knows. */
const OTHER_DECORATORS =
  'component mcp.tool mcp.resource test example endpoint native loading forall scheduled v0 cancellable back_button deep_link push tokens ' +
  'distributed_train json_as public field_name default skip_if_none'

/** All decorator words, longest first, so that the first hit is the longest match. */
export const DECORATORS: readonly string[] = [
  ...RETIRED_DECORATORS,
  ...FUNCTION_DECORATORS,
  ...OTHER_DECORATORS.split(' '),
].sort((left, right) => right.length - left.length)
