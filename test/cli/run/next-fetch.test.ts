import { expect, test } from 'vitest'
import { nextFetchMs } from '../../../cli/run/next-fetch.ts'
import type { Config } from '../../../config/config.ts'
import { datasets } from '../../../datasets/index.ts'
import type { UnknownEntity } from '../../../plan/unknown-ids.ts'
import { wantedOf } from '../../plan/test-dataset.ts'

const at = (hours: number, minutes = 0): number => Date.UTC(2024, 5, 15, hours, minutes)
const FROM = Date.UTC(2024, 5, 1)
const NOW = at(14, 31)
const config = { source: { maxHistoryDays: null } } as Config

/** When there is something to do for what is there up to `toMs` until `recheckMs`, and up to `settledMs` then. */
async function nextOf(
  wanted: Parameters<typeof wantedOf>[0],
  known: { settledMs: number; toMs: number; recheckMs: number },
  unknown: readonly UnknownEntity[] = [],
): Promise<number | null> {
  const { vsCurrencies, granularity } = wantedOf(wanted)
  const series = { dataset: wanted.dataset, entity: 'bitcoin', vsCurrency: vsCurrencies[0]! }
  const store = {
    universe: async () => null,
    unknownEntities: async () => [...unknown],
    rechecksAfter: async () => [at(14, 40), known.recheckMs],
    covered: async (nowMs: number) => [
      {
        ...series,
        granularity: granularity === '' ? '1d' : granularity,
        fromMs: FROM,
        toMs: nowMs < known.recheckMs ? known.toMs : known.settledMs,
      },
    ],
  }
  const order = { wanted: [wantedOf({ ...wanted, fromMs: FROM })] }
  return await nextFetchMs(order, datasets, { config, store, nowMs: NOW })
}

const chart = { dataset: 'market_chart', granularity: '1h' } as const

test('when a provisional point settles, and not when another series has one', async () => {
  const known = { settledMs: at(13, 31), toMs: at(15), recheckMs: at(15, 2) }
  expect(await nextOf(chart, known)).toBe(at(15, 2))
})

test('when the point of the next step is due', async () => {
  const known = { settledMs: at(15), toMs: at(15), recheckMs: at(20) }
  expect(await nextOf(chart, known)).toBe(at(15, 30))
  const daily = { ...chart, granularity: '1d' } as const
  expect(await nextOf(daily, { ...known, settledMs: at(24), toMs: at(24) })).toBe(at(24, 40))
})

test('when the next bucket begins', async () => {
  const known = { settledMs: at(24), toMs: at(24), recheckMs: at(20) }
  const rates = { dataset: 'coin_markets', granularity: '', everyMs: 24 * 3_600_000 } as const
  expect(await nextOf(rates, known)).toBe(at(24))
})

test('never, of a history that has ended', async () => {
  const known = { settledMs: at(12), toMs: at(12), recheckMs: at(20) }
  expect(await nextOf({ ...chart, toMs: at(12) }, known)).toBeNull()
})

test('when an id that the source does not know is asked for again', async () => {
  const ended = { ...chart, entities: ['bitcoin', 'btc'], toMs: at(12) }
  const known = { settledMs: at(12), toMs: at(12), recheckMs: at(20) }
  const btc = { dataset: 'market_chart', entity: 'btc', askedAtMs: at(14), goneSinceMs: null }
  expect(await nextOf(ended, known, [btc])).toBe(at(24))
  expect(await nextOf(ended, known, [{ ...btc, goneSinceMs: at(11) }])).toBe(at(17))
})
