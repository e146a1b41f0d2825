import type { RunProgress } from '../../workflows/messages.ts'
import { say, type Effects } from '../effects.ts'
import { liveLines } from './live-lines.ts'
import { progressLines } from './progress-line.ts'
import { reportText } from './report-text.ts'
import type { RunRenderer } from './create-renderer.ts'

/** Width of the progress bar, which leaves room for the figures on 100 columns. */
const BAR_CELLS = 20

/** Renders a run on a terminal: a moving line, notes above it, the report in its place. */
export function ttyRenderer(effects: Effects): RunRenderer {
  const live = liveLines(effects.stderr)
  const bar = (progress: RunProgress): string => {
    const { slicesLoaded, slicesFailed, slicesPlanned } = progress
    const part = slicesPlanned === 0 ? 0 : (slicesLoaded + slicesFailed) / slicesPlanned
    const filled = Math.round(part * BAR_CELLS)
    return `[${'#'.repeat(filled)}${'.'.repeat(BAR_CELLS - filled)}]`
  }
  return {
    step: (text) => live.show([text]),
    progress(progress, allowed) {
      const columns = live.columns()
      const nowMs = Date.now()
      const [first, ...others] = progressLines(progress, nowMs, columns, allowed)
      // The bar only repeats the figures, so it goes first.
      const isRoom = others.length === 0 && first.length + BAR_CELLS + 3 <= columns
      live.show(isRoom ? [`${bar(progress)} ${first}`] : [first, ...others])
    },
    note: (text) => live.persist(text),
    report(report) {
      live.clear()
      for (const line of reportText(report)) say(effects, line)
    },
    close: () => live.clear(),
  }
}
