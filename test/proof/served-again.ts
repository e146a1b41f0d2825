import { operationPath } from '../../api/operation-path.ts'
import { operations } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import type { Clock } from '../../config/clock.ts'
import { profiles, type Profile } from '../../config/profiles.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { createPublishedSource } from '../../service/warehouse/warehouse-source.ts'
import type { PlacedBody } from './asked-names.ts'
import { tokenOf } from './expected/token.ts'
import { serveInTest } from '../parts/serve-source.ts'
import { namedBy } from './recorded-run.ts'

export interface ServedAgain {
  /** The answer of the published warehouse to the request of a recording, given its content; null = not found. */
  get(body: PlacedBody, recorded: unknown): Promise<unknown>
}

/** The interface, but for the number of trending coins: recordings have 1, 7 and 15. */
const UNCUT: Profile = {
  ...profiles.interface,
  served: { ...profiles.interface.served, trendingCoins: null },
}

/** Serves the published DuckDB file of a warehouse over a socket. */
export async function servedAgain(paths: WarehousePaths, clock: Clock): Promise<ServedAgain> {
  const source = await createPublishedSource(paths.duckdbLink, clock)
  const { url } = await serveInTest(source, { profile: UNCUT })
  return {
    get: async (body, recorded) => {
      const params = wholeParams(body, clock.nowMs(), recorded)
      const response = await fetch(`${url}/v2/${operationPath(operations[body.operation], params)}`)
      return response.status === 404 ? null : response.json()
    },
  }
}

const INTERVALS: Readonly<Record<string, string>> = { '5m': '5m', '1h': 'hourly', '1d': 'daily' }
const CANDLE_DAYS: Readonly<Record<string, string>> = { '30m': '1', '4h': '30', '4d': '365' }
const VOLUME_DAYS: Readonly<Record<string, string>> = { '10m': '1', '1h': '14', '1d': '365' }

const WHOLE_QUOTE = {
  include_market_cap: 'true',
  include_24hr_vol: 'true',
  include_24hr_change: 'true',
  include_last_updated_at: 'true',
  precision: 'full',
}

/** Parameters that ask for a recorded body, and for all that there is. */
export function wholeParams(body: PlacedBody, nowMs: number, recorded: unknown): ParamValues {
  return { ...namedBy(body), ...restOf(body, nowMs, recorded) }
}

function restOf(body: PlacedBody, nowMs: number, recorded: unknown): ParamValues {
  const { operation, granularity, entity, vsCurrency } = body
  if (operation.includes('market_chart')) {
    const interval = INTERVALS[granularity]!
    const window: ParamValues = operation.endsWith('range')
      ? { from: '0', to: String(Math.ceil(nowMs / 1000)) }
      : { days: 'max' }
    return { vs_currency: vsCurrency, interval, ...window }
  }
  switch (operation) {
    case 'coins/{id}/ohlc':
      return { vs_currency: vsCurrency, days: CANDLE_DAYS[granularity]! }
    case 'exchanges/{id}/volume_chart':
      return { days: VOLUME_DAYS[granularity]! }
    case 'simple/price':
      return { ids: entity, vs_currencies: vsCurrency, ...WHOLE_QUOTE }
    case 'simple/token_price/{id}': {
      const tokens = entity.split(',').map((one) => tokenOf({ entity: one }).contractAddress)
      return { contract_addresses: tokens.join(), vs_currencies: vsCurrency, ...WHOLE_QUOTE }
    }
    case 'coins/{id}':
      return { tickers: 'false', include_categories_details: 'true', sparkline: 'true' }
    case 'coins/{id}/history':
      return { date: body.date }
    case 'coins/list':
      return { include_platform: 'true' }
    case 'coins/{id}/tickers':
    case 'exchanges/{id}/tickers':
      return { depth: 'true', include_exchange_logo: 'true' }
    case 'coins/markets':
      return {
        per_page: '250',
        sparkline: 'true',
        price_change_percentage: '1h,24h,7d,14d,30d,200d,1y',
      }
    case 'exchanges':
      return { per_page: '250' }
    case 'derivatives/exchanges':
      return { per_page: '250', order: 'name_asc' }
    case 'derivatives/exchanges/{id}':
      // Without them it was recorded by somebody who did not ask for them.
      return Object.hasOwn(recorded as object, 'tickers') ? { include_tickers: 'all' } : {}
    default:
      return {}
  }
}
