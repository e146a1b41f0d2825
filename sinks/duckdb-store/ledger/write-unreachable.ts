import type { Slice } from '../../../datasets/dataset.ts'
import { type Interval, subtract } from '../../../plan/intervals.ts'
import type { Unreachable } from '../../../plan/plan-slices.ts'
import { unreachableTable } from '../../ledger/order-tables.ts'
import { sliceRecord, UNREACHABLE_COLUMNS } from './slice-rows.ts'
import { appendRecords } from './append-records.ts'
import type { StoreContext } from '../store-context.ts'

/** Replaces the unreachable stretches of the wanted series. Stretches that are not wanted stay. */
export async function noteUnreachable(
  { writer, clock }: StoreContext,
  wantedOf: (series: Slice) => readonly Interval[],
  unreachable: readonly Unreachable[],
): Promise<void> {
  const noted = await writer.rows<Unreachable & { notedMs: number }>(
    `SELECT ${UNREACHABLE_COLUMNS}, epoch_ms(noted_at) AS notedMs FROM _unreachable`,
  )
  const notedMs = clock.nowMs()
  const unwanted = noted.flatMap((one) =>
    subtract([one], wantedOf(one)).map((part) => ({ ...one, ...part })),
  )
  const all = [...unwanted, ...unreachable.map((one) => ({ ...one, notedMs }))]
  // Without a change nothing is written, and so nothing is published again.
  const known = new Set(noted.map(textOf))
  if (noted.length === all.length && all.every((one) => known.has(textOf(one)))) return
  await writer.transaction('note unreachable stretches in', async () => {
    await writer.run('DELETE FROM _unreachable')
    const records = all.map((one) => ({
      ...sliceRecord(one),
      reason: one.reason,
      noted_at: one.notedMs,
    }))
    await appendRecords(writer.connection, unreachableTable, records)
  })
}

function textOf(stretch: Slice & { reason: string }): string {
  return JSON.stringify([sliceRecord(stretch), stretch.reason])
}
