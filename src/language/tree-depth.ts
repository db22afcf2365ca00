/** Deepest nesting of nodes a module may have, so that whoever walks it by recursion stays within the stack. */
export const MAX_TREE_DEPTH = 500

/** Whether `root`, a tree of plain objects and arrays, nests objects deeper than `limit`; walks without recursion. */
export function isDeeperThan(root: object, limit: number): boolean {
  const nodes: object[] = [root]
  const depths: number[] = [0]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const depth = depths.pop() ?? 0
    if (depth > limit) return true
    const isList = Array.isArray(node)
    for (const key in node) {
      const child: unknown = node[key as keyof typeof node]
      if (typeof child !== 'object' || child === null || (!isList && key === 'span')) continue
      nodes.push(child)
      depths.push(isList ? depth : depth + 1)
    }
  }
  return false
}
