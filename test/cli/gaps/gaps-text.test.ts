import { DAY_MS } from '../../../config/values/duration.ts'
import { expect, test } from 'vitest'
import { gapsText } from '../../../cli/gaps/gaps-text.ts'
import type { WantedInterval } from '../../../plan/wanted-coverage.ts'

const START_MS = Date.UTC(2024, 0, 1)

test('a stretch without points behind others, or in place of all, is named with the command that asks again', () => {
  const part = (
    entity: string,
    state: WantedInterval['state'],
    day: number,
    dataset = 'market_chart',
  ): WantedInterval => ({
    dataset,
    entity,
    vsCurrency: 'usd',
    granularity: '1h',
    state,
    fromMs: START_MS + day * DAY_MS,
    toMs: START_MS + (day + 1) * DAY_MS,
    reason: null,
    rows: 0,
  })
  const intervals = [
    part('bitcoin', 'empty', 0),
    part('bitcoin', 'verified', 1),
    part('bitcoin', 'empty', 2),
    part('bitcoin', 'verified', 3),
    part('ethereum', 'empty', 4),
    part('ethereum', 'provisional', 5),
    part('solana', 'empty', 5, 'coin_tickers'),
  ]
  const lines = gapsText(
    {
      intervals,
      orders: [],
      missed: [],
      pendingUniverses: [],
      doubtful: [],
      absent: [],
      givenUp: [],
      source: 'store',
      note: null,
      unreachable: { days: 0, datasets: [] },
    },
    20,
  )
  const named = lines.filter((line) => line.startsWith('empty:'))
  expect(named).toEqual([
    'empty: market_chart bitcoin usd 1h from 2024-01-03T00:00Z to 2024-01-04T00:00Z: the source gave no point; `coinlake refetch` asks again',
    'empty: market_chart ethereum usd 1h from 2024-01-05T00:00Z to 2024-01-06T00:00Z: the source gave no point; `coinlake refetch` asks again',
  ])
  expect(lines.at(-1)).toBe(
    'no gaps: all data that the source gave are there; it has nothing for 4 of 7 days',
  )
})
