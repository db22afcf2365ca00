import { fileSize, plural } from '../report/format.ts'
import type { SearchProgress } from '../training/check-data.ts'
import type { Terminal } from './terminal.ts'

/** A live line on a terminal, a plain line at every tenth elsewhere. */
export function searchProgress(terminal: Terminal) {
  let printed = 0
  return {
    show({ files, bytes, totalFiles, totalBytes }: SearchProgress): void {
      const line = `${fileSize(bytes)} of ${fileSize(totalBytes)} searched, ${files} of ${plural(totalFiles, 'file')}`
      terminal.live(line)
      const tenth = Math.floor((10 * bytes) / Math.max(1, totalBytes))
      if (terminal.isInteractive || tenth <= printed) return
      printed = tenth
      terminal.note(line)
    },
    end: (): void => terminal.live(null),
  }
}
