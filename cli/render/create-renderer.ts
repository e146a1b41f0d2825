import type { LogConfig } from '../../config/settings/read-watching.ts'
import type { RunProgress } from '../../workflows/messages.ts'
import type { Effects } from '../effects.ts'
import { printJson, say } from '../effects.ts'
import { liveLines } from './live-lines.ts'
import { logRenderer } from './log-renderer.ts'
import { progressLine, progressLines } from './progress-line.ts'
import { reportText } from './report-text.ts'
import type { RunRenderer } from './run-renderer.ts'

/** On a stream that is no terminal a line is written this often at most. */
const PLAIN_EVERY_MS = 5_000
/** Width of the progress bar: leaves room for the figures on 100 columns. */
const BAR_CELLS = 20

/** The renderer that fits the streams: moving line on a terminal, sparse lines otherwise, silence for JSON, log lines where logs are collected. */
export function createRenderer(
  effects: Effects,
  options: { json: boolean; log?: LogConfig['format'] },
): RunRenderer {
  if (options.log === 'json') return logRenderer(effects, options)
  if (options.json) return jsonRenderer(effects)
  return effects.isLive ? ttyRenderer(effects) : plainRenderer(effects)
}

/** JSON: stdout carries one document; stderr keeps what a log needs. */
function jsonRenderer(effects: Effects): RunRenderer {
  return {
    step: () => undefined,
    progress: () => undefined,
    note: (text) => say(effects, text),
    report: (report) => printJson(effects, report),
    close: () => undefined,
  }
}

function plainRenderer(effects: Effects): RunRenderer {
  let lastMs = 0
  let lastLine = ''
  return {
    step: (text) => say(effects, text),
    progress(progress, allowed) {
      const nowMs = Date.now()
      const line = progressLine(progress, nowMs, allowed)
      if (nowMs - lastMs < PLAIN_EVERY_MS || line === lastLine) return
      lastMs = nowMs
      lastLine = line
      say(effects, line)
    },
    note: (text) => say(effects, text),
    report: (report) => reportText(report).forEach((line) => say(effects, line)),
    close: () => undefined,
  }
}

function ttyRenderer(effects: Effects): RunRenderer {
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
      // The bar says nothing that the figures do not: where it does not fit, it goes.
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
