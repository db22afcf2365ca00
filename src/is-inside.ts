import path from 'node:path'

/** Whether `file` is `folder` or lies in it, as their paths say: links on the way must have been followed before. */
export function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file)
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
}
