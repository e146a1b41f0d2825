import { column } from '../../../datasets/table/column.ts'
import { CoinlakeError } from '../../../config/coinlake-error.ts'
import type { Table as ArrowTable } from 'apache-arrow'
import type { TableSpec } from '../../../datasets/dataset.ts'
import { duckdbType, quoteName, quoteText } from '../../../datasets/table/ddl.ts'
import type { PageStage, StagedPage } from '../../../stage/page-stage.ts'
import { type ArrowAppender, openArrowAppender } from '../../arrow-into-duckdb.ts'
import { SinkError } from '../../sink-error.ts'
import { appendRecords } from '../ledger/append-records.ts'
import type { StagedSlice } from './load-batch.ts'
import { TEMP, stageName } from '../merge/merge.ts'
import type { Session } from '../session.ts'
import { requireKnown, type StoreContext } from '../store-context.ts'

/** A staged file of a slice is damaged. The slice stays planned, and the other slices are loaded. */
export class DamagedSliceError extends SinkError {
  readonly ordinal: number

  constructor(ordinal: number, cause: CoinlakeError) {
    super(cause.message, { code: cause.code, hint: cause.hint, cause })
    this.ordinal = ordinal
  }
}

const PAGE_COLUMNS = [
  column('page_no', 'integer', 'Number of the page within the load.'),
  column('ordinal', 'integer', 'The slice of the page.'),
  column('step', 'integer', 'The request step of the page.'),
  column('slice_id', 'string', 'The slice of the page.'),
  column('fetched_at', 'timestamp', 'When the source answered.'),
  column('settled_to', 'timestamp', 'Points before this are final.'),
  column('moving_at', 'timestamp', 'Time of the moving point.'),
]

/**
 * Copies the rows of all pages into TEMP tables, with one page in memory at a time. An empty answer replaces
 * provisional rows too, so tables without rows are among the returned ones.
 *
 * @param runId of the slices
 * @returns all tables of the slices' datasets
 * @throws DamagedSliceError when a staged file is damaged
 */
export async function copyStaged(
  context: StoreContext,
  runId: string,
  slices: readonly StagedSlice[],
  stage: PageStage,
): Promise<TableSpec[]> {
  const { writer } = context
  const names = new Set(slices.map(({ planned }) => planned.dataset))
  const tables = [...context.datasets.values()]
    .filter((dataset) => names.has(dataset.name))
    .flatMap((dataset) => dataset.tables)
  const pages = slices.flatMap((slice) => slice.pages.map((page) => ({ slice, page })))
  await recreate(writer, TEMP.pages, PAGE_COLUMNS)
  await appendRecords(
    writer.connection,
    { name: 'load_pages', columns: PAGE_COLUMNS },
    pages.map(({ slice, page }, pageNo) => ({
      page_no: pageNo,
      ordinal: slice.planned.ordinal,
      step: page.key.step,
      slice_id: slice.planned.sliceId,
      fetched_at: page.fetchedAtMs,
      settled_to: slice.settlement.settledToMs,
      moving_at: slice.settlement.movingMs,
    })),
  )
  await writer.run(
    `CREATE OR REPLACE TEMP TABLE ${TEMP.slices} AS
     SELECT o.ordinal, o.slice_id, dataset, entity, vs_currency, granularity, from_at, to_at,
       min(p.fetched_at) AS fetched_at
     FROM _slices o JOIN ${TEMP.pages} p USING (ordinal) WHERE o.run_id = ${quoteText(runId)} GROUP BY ALL`,
  )
  const appenders = new Map<string, ArrowAppender>()
  for (const table of tables) {
    await recreate(writer, stageName(table), [...table.columns, ...PAGE_COLUMNS.slice(0, 1)])
    const { name, columns } = table
    appenders.set(name, await openArrowAppender(writer.connection, `stage_${name}`, columns))
  }
  try {
    for (const [pageNo, { slice, page }] of pages.entries()) {
      for (const { table } of page.tables.filter(({ rowCount }) => rowCount > 0)) {
        const rows = await readStaged(stage, page, table, slice.planned.ordinal)
        requireKnown(appenders.get(table), 'table', table, context).append(rows, BigInt(pageNo))
      }
    }
  } finally {
    for (const appender of appenders.values()) appender.close()
  }
  return tables
}

/** The rows of a page for a table. @throws DamagedSliceError when the staged file is damaged */
export async function readStaged(
  stage: PageStage,
  page: StagedPage,
  table: string,
  ordinal: number,
): Promise<ArrowTable> {
  try {
    return await stage.readTable(page, table)
  } catch (error) {
    if (error instanceof CoinlakeError && error.code === 'STAGE_DAMAGED') {
      throw new DamagedSliceError(ordinal, error)
    }
    throw error
  }
}

async function recreate(
  session: Session,
  name: string,
  columns: TableSpec['columns'],
): Promise<void> {
  const definitions = columns.map(
    (column) => `${quoteName(column.name)} ${duckdbType(column.type)}`,
  )
  await session.run(`CREATE OR REPLACE TEMP TABLE ${name} (${definitions.join(', ')})`)
}
