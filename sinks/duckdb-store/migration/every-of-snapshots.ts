import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../config/values/duration.ts'
import { isOfBuckets } from '../../../datasets/request/buckets.ts'
import type { Dataset } from '../../../datasets/dataset.ts'
import { quoteText } from '../../../datasets/table/ddl.ts'
import type { Session } from '../session.ts'
import type { Change } from './table-changes.ts'

/**
 * The change that gives slices of snapshots from an older coinlake their `every` as granularity; []: all have one. The
 * length of the slice is the `every`, as config/values/duration.ts writes it. Each opening of a store looks for them,
 * because `restore` brings such slices back.
 */
export async function everyOfSnapshots(
  session: Pick<Session, 'rows'>,
  datasets: readonly Dataset[],
): Promise<Change[]> {
  const names = datasets.filter(isOfBuckets).map(({ name }) => quoteText(name))
  if (names.length === 0) return []
  const where = `WHERE granularity = '' AND dataset IN (${names.join(', ')})`
  const found = await session.rows(`SELECT 1 FROM _slices ${where} LIMIT 1`)
  if (found.length === 0) return []
  const ms = '(epoch_ms(to_at) - epoch_ms(from_at))'
  const unit = (unitMs: number, letter: string): string =>
    `WHEN ${ms} % ${unitMs} = 0 THEN (${ms} // ${unitMs})::VARCHAR || '${letter}'`
  const units = [unit(DAY_MS, 'd'), unit(HOUR_MS, 'h'), unit(MINUTE_MS, 'm')].join(' ')
  const sql = `UPDATE _slices SET granularity = CASE ${units} ELSE (${ms} // 1000)::VARCHAR || 's' END ${where}`
  return [{ name: 'every of snapshots', statements: [sql] }]
}
