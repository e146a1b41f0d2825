import type { Writable } from 'node:stream'
import { createLogUpdate } from 'log-update'
import { printable } from '../../config/values/foreign-text.ts'

/** Width of a terminal that does not report one. */
const USUAL_COLUMNS = 80

/** Lines that change in place on a terminal. Only log-update moves the cursor. */
export interface LiveLines {
  show(lines: readonly string[]): void
  /** Prints a line that stays, above the moving ones. */
  persist(line: string): void
  clear(): void
  columns(): number
}

export function liveLines(terminal: Writable): LiveLines {
  const stream = terminal as NodeJS.WriteStream
  const update = createLogUpdate(stream, { showCursor: true })
  return {
    show: (lines) => update(lines.map(printable).join('\n')),
    persist: (line) => update.persist(printable(line)),
    clear: () => update.clear(),
    columns: () => stream.columns || USUAL_COLUMNS,
  }
}
