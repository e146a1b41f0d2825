import { DAY_MS } from '../../config/values/duration.ts'
import { isOfBuckets } from '../../datasets/request/buckets.ts'
import type { Slice } from '../../datasets/dataset.ts'
import { quoteText } from '../../datasets/table/ddl.ts'
import { datasetByName } from '../../datasets/index.ts'
import { seriesKey } from '../../plan/covered.ts'
import { sliceId } from '../../plan/planned-slice.ts'
import { floorToStep } from '../../plan/utc-grid.ts'
import {
  NOT_ASKED_AGAIN,
  REPEATED_FAILURES_SQL,
  type RepeatedFailure,
} from '../../sinks/ledger/repeated-failures.ts'
import type { StoreDeps } from '../activity-deps.ts'

/**
 * Fails slices of a window's plan that failed in three windows in the same way and were tried today. Such a slice costs
 * its calls once a UTC day, not in each window. Snapshots are always tried: their bucket cannot be fetched later.
 *
 * @returns the slices that are left to fetch. A repeated call for a run returns the same ones, on one UTC day
 */
export async function skipRepeatedFailures(
  { store, clock }: Pick<StoreDeps, 'store' | 'clock'>,
  runId: string,
  slices: readonly Slice[],
): Promise<readonly Slice[]> {
  const todayMs = floorToStep(clock.nowMs(), DAY_MS)
  const found = await store.query<RepeatedFailure>(REPEATED_FAILURES_SQL)
  const asked = found.filter(({ askedAtMs }) => askedAtMs >= todayMs)
  if (asked.length === 0) return slices
  const codes = new Map(asked.map((one) => [`${seriesKey(one)} ${one.fromMs}`, one.code]))
  const ofId = new Map<string, string>()
  const left = slices.filter((slice) => {
    const code = codes.get(`${seriesKey(slice)} ${slice.fromMs}`)
    const dataset = datasetByName(slice.dataset)
    if (code === undefined || (dataset !== undefined && isOfBuckets(dataset))) return true
    ofId.set(sliceId(slice), code)
    return false
  })
  if (ofId.size === 0) return slices
  const ids = [...ofId.keys()].map(quoteText).join(', ')
  const planned = await store.query(
    `SELECT ordinal, slice_id FROM _slices
     WHERE run_id = ${quoteText(runId)} AND state = 'planned' AND slice_id IN (${ids})`,
  )
  const failures = planned.map((row) => ({
    ordinal: Number(row['ordinal']),
    code: NOT_ASKED_AGAIN,
    reason: `failed three times in the same way (${ofId.get(String(row['slice_id']))}): windows ask again once a day, \`coinlake backfill\` at once`,
  }))
  await store.failSlices(runId, failures)
  return left
}
