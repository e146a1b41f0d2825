import { say, type Effects } from '../effects.ts'
import { liveLines } from './live-lines.ts'
import { progressLines } from './progress-line.ts'
import { reportText } from './report-text.ts'
import type { RunRenderer } from './create-renderer.ts'

/** Renders a run on a terminal: a moving line, notes above it, the report in its place. */
export function ttyRenderer(effects: Effects): RunRenderer {
  const live = liveLines(effects.stderr)
  return {
    step: (text) => live.show([text]),
    progress(progress, allowed) {
      live.show(progressLines(progress, Date.now(), live.columns(), allowed))
    },
    note: (text) => live.persist(text),
    report(report) {
      live.clear()
      for (const line of reportText(report)) say(effects, line)
    },
    close: () => live.clear(),
  }
}
