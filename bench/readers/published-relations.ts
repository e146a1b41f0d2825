import type { DuckDBConnection } from '@duckdb/node-api'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import { analystMacros } from '../../sinks/views/analyst-views.ts'
import { readHere, type Expected } from './reader-cells.ts'

/** The name under which sessions attach a published file. */
const ATTACHED = 'lake'

/** A session with a published file, as each reader opens it. */
export const OPENED = {
  directly: (file: string) => ({ file, statements: [] as string[] }),
  attached: (file: string) => ({
    file: ':memory:',
    statements: [`ATTACH ${quoteText(file)} AS ${ATTACHED} (READ_ONLY)`],
  }),
}

/** A relation of a published file, with the cells that a reader must get. */
export interface PublishedRelation extends Expected {
  kind: 'table' | 'view' | 'macro'
  /** The SELECT in a session of each kind. */
  sql: Readonly<Record<keyof typeof OPENED, string>>
}

/** Columns of views that sum doubles. Versions of DuckDB sum in different orders. */
const ROUNDED: Readonly<Record<string, readonly string[]>> = {
  correlation: ['correlation_90d'],
  market_share: ['share_of_coins', 'coins_market_cap'],
  volatility: ['volatility_30d', 'volatility_30d_annualised'],
  volume_by_exchange: ['volume_24h_usd', 'volume_24h_btc', 'median_spread_percent'],
}

/** Widths for the macro `candles`. */
const WIDTHS = ['INTERVAL 6 HOURS', 'INTERVAL 1 MONTH']

/**
 * All tables, views and macros of a published file. Tables must equal those of the store. Views and macros must equal the
 * answers of the DuckDB that wrote the file.
 *
 * @param moments past moments for which macros are called, epoch ms
 */
export async function publishedRelations(
  published: DuckDBConnection,
  store: DuckDBConnection,
  moments: readonly number[],
): Promise<PublishedRelation[]> {
  const names = await namesIn(published)
  const stored = new Set((await namesIn(store)).map(({ name }) => name))
  const relations: PublishedRelation[] = []
  for (const { name, kind } of names) {
    const place = `main.${quoteName(name)}`
    const sql = { directly: `FROM ${place}`, attached: `FROM ${ATTACHED}.${place}` }
    const own = await readHere(published, { name, sql: sql.directly })
    const roundedPlaces = new Set(
      own.columns.flatMap((column, at) => (isSum(name, column) ? [at] : [])),
    )
    const columns = own.columns.map((column) => quoteName(column.replace(/ .*/, '')))
    const isStored = kind === 'table' && stored.has(name)
    const cells = isStored
      ? await readHere(store, { name, sql: `SELECT ${columns.join(', ')} FROM ${place}` })
      : own
    relations.push({ ...cells, roundedPlaces, kind, sql })
  }
  const times = moments.map((ms) => `TIMESTAMPTZ ${quoteText(new Date(ms).toISOString())}`)
  for (const macro of analystMacros) {
    const isOfWidth = macro.parameters.startsWith('width')
    for (const argument of isOfWidth ? WIDTHS : times) {
      const name = `${macro.name} of ${argument}`
      const sql = {
        directly: `FROM ${macro.name}(${argument})`,
        attached: `FROM ${ATTACHED}.${macro.name}(${argument}, db := '${ATTACHED}')`,
      }
      const cells = await readHere(published, { name, sql: sql.directly })
      relations.push({ ...cells, roundedPlaces: new Set(), kind: 'macro', sql })
    }
  }
  return relations
}

function isSum(view: string, column: string): boolean {
  return ROUNDED[view]?.some((name) => column.startsWith(`${name} `)) === true
}

async function namesIn(
  connection: DuckDBConnection,
): Promise<{ name: string; kind: 'table' | 'view' }[]> {
  const read = await connection.runAndReadAll(
    `SELECT table_name, table_type FROM information_schema.tables
     WHERE table_schema = 'main' AND table_catalog = current_database() ORDER BY table_name`,
  )
  const rows = read.getRowsJson() as [string, string][]
  return rows.map(([name, type]) => ({ name, kind: type === 'VIEW' ? 'view' : 'table' }))
}
