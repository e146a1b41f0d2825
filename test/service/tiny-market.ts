import { onTestFinished } from 'vitest'
import type { AnswerSource } from '../../service/answer-source.ts'
import { createSimulatedSource } from '../../service/simulated/simulated-source.ts'
import { MARKET_PRESETS, type MarketSpec } from '../../service/market/market-spec.ts'
import { plainService } from '../parts/serve-source.ts'

/** Off every grid: no whole hour, no whole five minutes. */
export const MARKET_NOW_MS = Date.parse('2025-06-15T12:34:56Z')

/** The tiny market with other figures where a test wants them. */
export function tinySpec(changes: Partial<MarketSpec> = {}): MarketSpec {
  return { seed: 7, nowMs: MARKET_NOW_MS, ...MARKET_PRESETS.tiny, ...changes }
}

/** Asks a served market; the answer's status and JSON. */
export type Ask = (path: string) => Promise<{ status: number; body: unknown }>

/** A simulated market, closed after the test; for all tests of a file or group: `simulated(afterAll)`. */
export function simulated(
  whenDone: (close: () => Promise<void>) => void = onTestFinished,
  spec: MarketSpec = tinySpec(),
): AnswerSource {
  const source = createSimulatedSource(spec)
  whenDone(() => source.close())
  return source
}

/** Asks a source below /v2/ without a socket. */
export function asking(source: AnswerSource): Ask {
  const { app } = plainService(source, {
    log: ({ fault }) => {
      if (fault !== undefined) throw fault
    },
  })
  return async (path) => {
    const reply = await app.request(`/v2/${path}`)
    return { status: reply.status, body: await reply.json() }
  }
}
