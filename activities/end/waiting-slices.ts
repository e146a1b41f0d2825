import { quoteText } from '../../datasets/table/ddl.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import type { ReportRunInput } from '../activity-types.ts'
import type { WaitingSlices } from '../run-report.ts'
import { cutText } from '../cut-text.ts'
import { MAX_ENTITY_CHARS } from './absences.ts'

/** The slices that wait until a known time, because the run had to stop; no field for other runs. */
export async function waitingSlices(
  { store }: { store: Pick<Store, 'query'> },
  { runId, fatal }: Pick<ReportRunInput, 'runId' | 'fatal'>,
): Promise<{ waiting?: WaitingSlices }> {
  if (fatal?.untilMs === undefined) return {}
  const rows = await store.query(
    `SELECT dataset, count(*) AS slices, unnest(arg_min({
         entity: entity, vs: vs_currency, granularity: granularity,
         stretch: strftime(from_at, '[%Y-%m-%d, ') || strftime(to_at, '%Y-%m-%d)')
       }, ordinal))
     FROM _slices WHERE run_id = ${quoteText(runId)} AND state = 'planned'
     GROUP BY dataset ORDER BY min(ordinal)`,
  )
  const datasets = rows.map(({ dataset, slices, entity, vs, granularity, stretch }) => ({
    dataset: String(dataset),
    slices: Number(slices),
    first: [cutText(String(entity), MAX_ENTITY_CHARS), vs, granularity, stretch]
      .filter((part) => part !== '')
      .join(' '),
  }))
  const untilAt = new Date(fatal.untilMs).toISOString()
  const slices = datasets.reduce((sum, one) => sum + one.slices, 0)
  return { waiting: { untilAt, slices, datasets } }
}
