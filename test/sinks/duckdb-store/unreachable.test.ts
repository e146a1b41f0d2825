import { DAY_MS } from '../../../config/values/duration.ts'
import { expect, test } from 'vitest'
import { frozenClock } from '../../../config/clock.ts'
import type { Unreachable } from '../../../plan/plan-slices.ts'
import { openStore } from '../../../sinks/duckdb-store/open-store.ts'
import { tempFolder } from './temp-folder.ts'

const temp = tempFolder()
const ALL = { fromMs: 0, toMs: Infinity }

function gap(entity: string, from: number, to: number): Unreachable {
  const series = { dataset: 'ohlc', entity, vsCurrency: 'usd', granularity: '4h' as const }
  return { ...series, fromMs: from * DAY_MS, toMs: to * DAY_MS, reason: 'source_reach' }
}

test('a run replaces what is noted in the stretches that it wants, and nothing else', async () => {
  const file = temp.path('store.duckdb')
  const clock = frozenClock(100 * DAY_MS)
  const store = await openStore({ file, datasets: [], coinlakeVersion: '0.1.0', clock })
  const noted = async (): Promise<unknown[]> =>
    (
      await store.query(
        `SELECT entity, epoch_ms(from_at) // ${DAY_MS} AS from_day, epoch_ms(to_at) // ${DAY_MS} AS to_day
         FROM _unreachable ORDER BY ALL`,
      )
    ).map((row) => [row['entity'], Number(row['from_day']), Number(row['to_day'])])
  try {
    const both = [gap('bitcoin', 10, 70), gap('ether', 10, 70)]
    await store.noteUnreachable(() => [ALL], both)
    await store.noteUnreachable(() => [ALL], both)
    expect(await noted()).toHaveLength(2)
    const ofBitcoin = ({ entity }: { entity: string }) =>
      entity === 'bitcoin' ? [{ fromMs: 60 * DAY_MS, toMs: Infinity }] : []
    await store.noteUnreachable(ofBitcoin, [gap('bitcoin', 60, 71)])
    expect(await noted()).toEqual([
      ['bitcoin', 10, 60],
      ['bitcoin', 60, 71],
      ['ether', 10, 70],
    ])
  } finally {
    await store.close()
  }
})
