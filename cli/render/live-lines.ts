import type { Writable } from 'node:stream'
import { createLogUpdate } from 'log-update'
import { printable } from '../../config/values/foreign-text.ts'

/** Width of a terminal that does not report one. */
const USUAL_COLUMNS = 80

/** Lines that change in place on a terminal. Only log-update moves the cursor. */
export function liveLines(terminal: Writable) {
  const stream = terminal as NodeJS.WriteStream
  const update = createLogUpdate(stream, { showCursor: true })
  return {
    show: (lines: readonly string[]): void => update(lines.map(printable).join('\n')),
    /** Prints a line that stays, above the moving ones. */
    persist: (line: string): void => update.persist(printable(line)),
    clear: (): void => update.clear(),
    columns: (): number => stream.columns || USUAL_COLUMNS,
  }
}
