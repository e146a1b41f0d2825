import { FAULT_KINDS, type FaultName } from './fault-kinds.ts'
import type { FaultPresetName } from './fault-preset-names.ts'
import { orderOf, orderSchema, type FaultOrder } from './fault-order.ts'

type Written = { fault: FaultName } & Readonly<Record<string, unknown>>

/** A named set of faults, as in a file of faults. */
export interface FaultPreset {
  about: string
  faults: readonly Written[]
}

/** A page then hardly ever meets six faults, so its sixth and last try succeeds. */
const TWICE = { times: 2 }

/** In these operations a duplicate can be found: by time, by id, or by all values of a ticker. */
const WITH_FINDABLE_DUPLICATES = [
  'coins/{id}/market_chart',
  'coins/{id}/market_chart/range',
  'coins/{id}/ohlc',
  'coins/markets',
  'coins/{id}/tickers',
  'exchanges/{id}/tickers',
]

export const FAULT_PRESETS: Readonly<Record<FaultPresetName, FaultPreset>> = {
  mild: {
    about: 'a fault in one answer of six; a request meets each fault at most twice',
    faults: [
      { fault: 'rate_status', rate: 0.03, ...TWICE },
      { fault: 'server_error', rate: 0.03, ...TWICE },
      { fault: 'reset', rate: 0.02, ...TWICE },
      { fault: 'reset_in_body', rate: 0.02, ...TWICE },
      { fault: 'truncated_json', rate: 0.02, ...TWICE },
      { fault: 'html', rate: 0.01, ...TWICE },
      { fault: 'wrong_content_type', rate: 0.02, ...TWICE },
      { fault: 'slow_first_byte', rate: 0.02, wait_ms: 200, ...TWICE },
    ],
  },
  'flaky-network': {
    about: 'a bad line: resets, silence and broken bodies in three answers of ten',
    faults: [
      { fault: 'reset', rate: 0.1, ...TWICE },
      { fault: 'reset_in_body', rate: 0.08, ...TWICE },
      { fault: 'truncated_json', rate: 0.04 },
      { fault: 'slow_first_byte', rate: 0.08, wait_ms: 3_000 },
      { fault: 'stalled_body', rate: 0.01, times: 1 },
    ],
  },
  limits: {
    about: '"too many requests" in every form, and a new limit after 200 calls',
    faults: [
      { fault: 'rate_status', rate: 0.04 },
      { fault: 'rate_status', rate: 0.02, told: 'reset', wait_ms: 2_000 },
      { fault: 'rate_status', rate: 0.002, told: 'nothing', times: 1 },
      { fault: 'rate_body', rate: 0.02 },
      { fault: 'rate_body', rate: 0.01, told: 'reset', wait_ms: 2_000 },
      { fault: 'limit_change', after: 200, limit: '300/1m' },
    ],
  },
  harsh: {
    about:
      'a fault in one answer of three, those of `mild` and more; two requests of a hundred always have a fault',
    faults: [
      { fault: 'nulls', where: 'key', rate: 0.015, permanent: true },
      { fault: 'html', rate: 0.005, permanent: true },
      { fault: 'rate_status', rate: 0.05, ...TWICE },
      { fault: 'rate_body', rate: 0.03, ...TWICE },
      { fault: 'server_error', rate: 0.06, ...TWICE },
      { fault: 'reset', rate: 0.05, ...TWICE },
      { fault: 'reset_in_body', rate: 0.04, ...TWICE },
      { fault: 'truncated_json', rate: 0.03, times: 1 },
      { fault: 'html', rate: 0.02, times: 1 },
      { fault: 'wrong_content_type', rate: 0.03 },
      { fault: 'slow_first_byte', rate: 0.04, wait_ms: 500 },
      { fault: 'stalled_body', rate: 0.002, times: 1 },
      { fault: 'duplicates', rate: 0.02, operations: WITH_FINDABLE_DUPLICATES },
    ],
  },
}

export function presetFaults(name: FaultPresetName, seed: number): FaultOrder[] {
  return FAULT_PRESETS[name].faults.map((written) => {
    const kind = FAULT_KINDS[written.fault]
    return orderOf(kind, orderSchema(kind).parse(written), seed)
  })
}
