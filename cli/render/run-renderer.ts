import type { CallRate } from '../../api/rate-headers.ts'
import type { RunReport } from '../../activities/run-report.ts'
import type { RunProgress } from '../../workflows/messages.ts'

/** How a run is shown while it goes on. Chosen once at start: terminal, plain lines, or nothing but JSON. */
export interface RunRenderer {
  /** A step before the run: finding the server, starting workers. */
  step(text: string): void
  /** @param allowed what the keys allow together; null = not known */
  progress(progress: RunProgress, allowed: CallRate | null): void
  /** A line that must not be lost in the animation. */
  note(text: string): void
  /** The run has ended; prints what it did. */
  report(report: RunReport): void
  /** Leaves the terminal as it was; safe to call twice. */
  close(): void
}
