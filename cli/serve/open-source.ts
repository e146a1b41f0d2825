import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { frozenClock } from '../../config/clock.ts'
import { ConfigError } from '../../config/config-error.ts'
import { pathFrom } from '../../config/settings/place-kinds.ts'
import type { AnswerSource } from '../../service/answer-source.ts'
import { MARKET_PRESETS, type PresetName } from '../../service/market/market-spec.ts'
import { say, type Effects, type Options } from '../effects.ts'
import { counted } from '../render/quantities.ts'
import { textOption } from '../run/choice-flags.ts'
import { parseClock, wholeNumber } from './serve-options.ts'

export interface OpenSource {
  source: AnswerSource
  about: string
}

/** Opens the one source that the options name. @throws ConfigError SERVE_SOURCE; errors of the source */
export async function openSource(effects: Effects, options: Options): Promise<OpenSource> {
  const { simulate, warehouse, recordings } = options
  const named = [simulate === true, warehouse !== undefined, recordings !== undefined]
  if (named.filter(Boolean).length !== 1) {
    throw new ConfigError('serve needs one source: --simulate, --warehouse or --recordings', {
      code: 'SERVE_SOURCE',
      hint: 'Try `coinlake serve --simulate`.',
    })
  }
  if (simulate === true) return simulated(effects, options)
  if (typeof warehouse === 'string') return published(effects, warehouse, options)
  if (options['clock'] !== undefined) {
    throw new ConfigError('--clock has no meaning for --recordings: each has a time of its own', {
      code: 'SERVE_OPTION',
      hint: 'Leave it out; `recordedAt` in recordings.json gives a file another time.',
    })
  }
  return recorded(effects, String(recordings))
}

async function simulated(effects: Effects, options: Options): Promise<OpenSource> {
  const { createSimulatedSource } = await import('../../service/simulated/simulated-source.ts')
  const { createRunningSource } = await import('../../service/simulated/running-source.ts')
  const preset = String(options['preset']) as PresetName
  const seed = wholeNumber('seed', String(options['seed']))
  const nowMs = stoppedAtMs(effects, options)
  say(effects, `making a simulated market (${preset}, seed ${seed}) ...`)
  const spec = { ...MARKET_PRESETS[preset], seed }
  const about = `a simulated market of ${spec.coins} coins; its clock`
  if (nowMs === null) {
    const source = createRunningSource(spec, effects.clock)
    return { source, about: `${about} runs` }
  }
  const source = createSimulatedSource({ ...spec, nowMs })
  return { source, about: `${about} stands at ${new Date(nowMs).toISOString()}` }
}

/** The time at which `--clock` stops the clock, epoch ms; null = the clock runs. */
function stoppedAtMs({ clock }: Effects, options: Options): number | null {
  const text = textOption(options, 'clock')
  return text === undefined ? null : parseClock(text, clock.nowMs())
}

async function published(effects: Effects, path: string, options: Options): Promise<OpenSource> {
  const { createPublishedSource } = await import('../../service/warehouse/warehouse-source.ts')
  const given = pathFrom(effects.cwd, path)
  const isFolder = existsSync(given) && statSync(given).isDirectory()
  const file = isFolder ? join(given, 'coinlake.duckdb') : given
  const nowMs = stoppedAtMs(effects, options)
  const clock = nowMs === null ? effects.clock : frozenClock(nowMs)
  const source = await createPublishedSource(file, clock)
  const stands = nowMs === null ? '' : `; its clock stands at ${new Date(nowMs).toISOString()}`
  return { source, about: `the warehouse ${file}${stands}` }
}

async function recorded(effects: Effects, path: string): Promise<OpenSource> {
  const { createRecordingsSource } = await import('../../service/recordings/recordings-source.ts')
  const source = createRecordingsSource(resolve(effects.cwd, path))
  for (const warning of source.warnings) say(effects, `warning: ${warning}`)
  const at = new Date(source.clock.nowMs()).toISOString()
  const answered = counted(source.answeredCount, 'recording')
  return { source, about: `${answered} for any id and window, the newest of ${at}` }
}
