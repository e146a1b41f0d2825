import type { CallRate } from '../../api/rate-headers.ts'
import type { RunReport } from '../../activities/run-report.ts'
import type { RunProgress } from '../../workflows/messages.ts'

export interface RunRenderer {
  /** A step before the run: finding the server, starting workers. */
  step(text: string): void
  /** @param allowed rate of all keys together; null = not known */
  progress(progress: RunProgress, allowed: CallRate | null): void
  /** Prints a line that stays. */
  note(text: string): void
  report(report: RunReport): void
  /** Restores the terminal; may be called twice. */
  close(): void
}
