import { operations } from '../../api/operations.ts'
import { createService } from '../../service/app.ts'
import { createSimulatedSource } from '../../service/simulated/simulated-source.ts'
import type { MarketSpec } from '../../service/market/market-spec.ts'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import { appendArrow } from '../../sinks/arrow-into-duckdb.ts'

/** Off every grid: no whole hour, no whole five minutes. */
export const MARKET_NOW_MS = Date.parse('2025-06-15T12:34:56Z')

/** The tiny market with other figures where a test wants them. */
export function tinySpec(changes: Partial<MarketSpec> = {}): MarketSpec {
  return { seed: 7, nowMs: MARKET_NOW_MS, ...MARKET_PRESETS.tiny, ...changes }
}

/** Asks a served market; the answer's status and JSON. */
export type Ask = (path: string) => Promise<{ status: number; body: unknown }>

/** Serves a simulated market without a socket. */
export async function serveMarket(
  spec: MarketSpec,
): Promise<{ ask: Ask; close: () => Promise<void> }> {
  const source = await createSimulatedSource({ spec, append: appendArrow })
  const { app } = createService({
    source,
    operations: Object.values(operations),
    keys: null,
    quota: null,
    log: ({ fault }) => {
      if (fault !== undefined) throw fault
    },
  })
  return {
    ask: async (path) => {
      const reply = await app.request(`/v2/${path}`)
      return { status: reply.status, body: await reply.json() }
    },
    close: () => source.close(),
  }
}
