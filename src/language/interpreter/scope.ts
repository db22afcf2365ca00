/** A variable as the compiler knows it. */
export interface Binding {
  readonly slot: number
  /** A parameter, or the capture of one: unbound when the call passes too few arguments. */
  readonly mayBeUnbound: boolean
  readonly isParam: boolean
  /** Whether code changes the list or map it holds in place. */
  isChangedInPlace: boolean
}

/** Scopes of one function body while it is compiled. */
export interface FunctionScope {
  readonly parent: FunctionScope | null
  /** Innermost block last; a name may have several parameters under it, the latest first. */
  readonly blocks: Map<string, Binding[]>[]
  slotCount: number
  /** Outer variables copied in when the function value is made. */
  readonly captures: { readonly outer: Binding; readonly binding: Binding }[]
}

export function openFunction(parent: FunctionScope | null): FunctionScope {
  return { parent, blocks: [new Map()], slotCount: 0, captures: [] }
}

export function openBlock(scope: FunctionScope): void {
  scope.blocks.push(new Map())
}

export function closeBlock(scope: FunctionScope): void {
  scope.blocks.pop()
}

/** A slot without a name. */
export function reserveSlot(scope: FunctionScope): number {
  return scope.slotCount++
}

/** Binds `name` in the innermost block; an earlier binding of that block is replaced. */
export function declare(scope: FunctionScope, name: string): Binding {
  const binding: Binding = { slot: scope.slotCount++, mayBeUnbound: false, isParam: false, isChangedInPlace: false }
  scope.blocks.at(-1)?.set(name, [binding])
  return binding
}

export function declareParam(scope: FunctionScope, name: string): Binding {
  const binding: Binding = { slot: scope.slotCount++, mayBeUnbound: true, isParam: true, isChangedInPlace: false }
  const block = scope.blocks[0]
  block?.set(name, [binding, ...(block.get(name) ?? [])])
  return binding
}

/**
 * Variables `name` may mean here, in the order Vox would look: each but the last may be unbound at run
 * time, in which case the next one is meant. Variables of enclosing functions are captured. Empty when
 * the name is no variable.
 */
export function resolve(scope: FunctionScope, name: string): readonly Binding[] {
  const found: Binding[] = []
  for (let at = scope.blocks.length - 1; at >= 0; at--) {
    for (const binding of scope.blocks[at]?.get(name) ?? []) {
      found.push(binding)
      if (!binding.mayBeUnbound) return found
    }
  }
  if (scope.parent !== null) for (const outer of resolve(scope.parent, name)) found.push(capture(scope, outer))
  return found
}

function capture(scope: FunctionScope, outer: Binding): Binding {
  const known = scope.captures.find((entry) => entry.outer === outer)
  if (known !== undefined) return known.binding
  const binding: Binding = {
    slot: scope.slotCount++,
    mayBeUnbound: outer.mayBeUnbound,
    isParam: false,
    isChangedInPlace: false,
  }
  scope.captures.push({ outer, binding })
  return binding
}
