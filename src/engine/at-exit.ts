const tasks = new Set<() => void>()

/**
 * Has `task` done when this process ends, be it by an uncaught error or by `process.exit`; not when a signal kills it. Returns how to
 * call that off. One listener serves all tasks, as Node warns of many.
 */
export function atExit(task: () => void): () => void {
  if (tasks.size === 0) process.on('exit', carryOut)
  tasks.add(task)
  return () => {
    tasks.delete(task)
    if (tasks.size === 0) process.off('exit', carryOut)
  }
}

function carryOut(): void {
  for (const task of tasks) task()
}
