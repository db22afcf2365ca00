/**
 * Tokens of a text under the o200k_base encoding. The tables are large, so they load at the first call.
 * Other models' tokenizers give other numbers; help is measured with this one for every model alike.
 */
export async function countTokens(text: string): Promise<number> {
  const { countTokens: count } = await import('gpt-tokenizer/encoding/o200k_base')
  // Text that looks like a control token is ordinary text here.
  return count(text, { disallowedSpecial: new Set() })
}
