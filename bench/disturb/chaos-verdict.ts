import type { DuckDBConnection } from '@duckdb/node-api'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import { allTables } from '../../datasets/index.ts'
import type { RequestEntry } from '../../service/request-log.ts'
import { inDuckdb } from '../../test/parts/duckdb.ts'

/** A chaos run compared with an undisturbed export. Slices are named `<dataset> <entity>`. */
export interface ChaosVerdict {
  slices: number
  /** Slices whose answers the service always spoils, by its own log. */
  spoilt: string[]
  /** Slices with quarantined rows, and failed slices. */
  quarantined: string[]
  /** Rows of all other slices that are missing, and rows that the service never sent. */
  rowsMissing: number
  rowsTooMany: number
  rowsCompared: number
}

/**
 * Compares two stores row by row, without the slices that the service always spoils.
 *
 * @param requests the requests of the disturbed run
 */
export async function judgeChaos(
  undisturbedFile: string,
  disturbedFile: string,
  requests: readonly RequestEntry[],
): Promise<ChaosVerdict> {
  return await inDuckdb(':memory:', async (connection) => {
    await connection.run(`ATTACH ${quoteText(undisturbedFile)} AS w (READ_ONLY)`)
    await connection.run(`ATTACH ${quoteText(disturbedFile)} AS c (READ_ONLY)`)
    const name = `dataset || ' ' || entity`
    const known = await texts(connection, `SELECT DISTINCT ${name} FROM w._slices ORDER BY ALL`)
    const spoilt = new Set(spoiltNames(requests))
    const last = `SELECT DISTINCT ON (slice_id) * FROM c._slices ORDER BY slice_id, generation DESC, state = 'planned'`
    const quarantined = await texts(
      connection,
      `SELECT DISTINCT ${name} FROM (${last}) WHERE state NOT IN ('loaded', 'provisional', 'empty')
         OR slice_id IN (SELECT slice_id FROM c._quarantine WHERE ended_at IS NULL) ORDER BY ALL`,
    )
    const left = [...spoilt].map(quoteText).join(', ') || `''`
    const others = `slice_id NOT IN (SELECT slice_id FROM w._slices WHERE ${name} IN (${left}))`
    const verdict: ChaosVerdict = {
      slices: known.length,
      spoilt: known.filter((one) => spoilt.has(one)),
      quarantined,
      rowsMissing: 0,
      rowsTooMany: 0,
      rowsCompared: 0,
    }
    const present = await texts(
      connection,
      `SELECT DISTINCT table_name FROM duckdb_tables() WHERE database_name IN ('w', 'c')`,
    )
    for (const table of allTables.filter(({ name: of }) => present.includes(of))) {
      const columns = table.columns.map((column) => quoteName(column.name)).join(', ')
      const rows = (place: 'w' | 'c'): string =>
        `SELECT ${columns} FROM ${place}.${quoteName(table.name)} WHERE ${others}`
      verdict.rowsCompared += await count(connection, rows('w'))
      verdict.rowsMissing += await count(connection, `${rows('w')} EXCEPT ALL ${rows('c')}`)
      verdict.rowsTooMany += await count(connection, `${rows('c')} EXCEPT ALL ${rows('w')}`)
    }
    return verdict
  })
}

const DATASETS: Readonly<Record<string, string>> = {
  'coins/markets': 'coin_markets',
  exchange_rates: 'exchange_rates',
  'coins/{id}/market_chart/range': 'market_chart',
  'coins/{id}/ohlc': 'ohlc',
}

/** Names of spoilt slices: all answers were web pages, or one had nulls as keys. */
function spoiltNames(requests: readonly RequestEntry[]): string[] {
  const byRequest = Map.groupBy(requests, ({ path, query }) => `${path}?${query}`)
  return [...byRequest.values()].flatMap((asked) => {
    const met = asked.map(({ injected = [] }) => injected)
    const isSpoilt =
      met.some((names) => names.includes('nulls')) || met.every((names) => names.includes('html'))
    const { operation, path } = asked[0]!
    const dataset = DATASETS[operation ?? '']
    if (!isSpoilt || dataset === undefined) return []
    const id = /\/coins\/([^/]+)\/(?:market_chart|ohlc)/.exec(path)?.[1] ?? ''
    return [`${dataset} ${decodeURIComponent(id)}`]
  })
}

async function texts(connection: DuckDBConnection, sql: string): Promise<string[]> {
  const rows = (await connection.runAndReadAll(sql)).getRowsJS() as [string][]
  return rows.map(([text]) => text)
}

async function count(connection: DuckDBConnection, sql: string): Promise<number> {
  const reader = await connection.runAndReadAll(`SELECT count(*)::DOUBLE FROM (${sql})`)
  return Number(reader.getRowsJS()[0]?.[0])
}
