import { BODY, fromJson, instant, items, text, type Sketch, utcDay } from './json-columns.ts'

/**
 * The rows of a recorded body in a table, said in SQL over the JSON text by DuckDB's own
 * functions. Written by hand from the data dictionary; it shares nothing with datasets/.
 */
export interface ExpectedTable {
  table: string
  /** A SELECT with the table's columns; `{file}` stands for the quoted path of the recording. */
  sql: string
  /** Columns that tell rows apart. */
  key: readonly string[]
  /** SQL condition: rows of the table that this recording brought. */
  rows: string
  /** Columns that hold JSON text: equal are those with the same members and values. */
  json: readonly string[]
}

/** Facts of the request, which the recording does not have. */
export interface AskedFor {
  /** Id or text that names what the body is about; '' where it is about everything. */
  entity: string
  /** A csv where one request asks for several. */
  vsCurrency: string
  granularity: string
  /** Distance of two points of the granularity. */
  stepMs: number
  /** The Date header of the answer, epoch ms in whole seconds. */
  observedAtMs: number
  /** The day that was asked for, YYYY-MM-DD; '' where none is. */
  date: string
}

/** The tables that a recorded body of one operation fills. */
export type ExpectedReader = (asked: AskedFor) => ExpectedTable[]

interface TableFacts {
  /** Columns that tell rows apart, with spaces between them. */
  key: string
  /** Columns that have what was asked for; they choose the recording's rows. */
  of?: Readonly<Record<string, string>>
  /** Further expressions of the SELECT list. */
  select: readonly string[]
  from: string
  /** Columns of JSON text, with spaces between them. */
  json?: string
}

export function tableOf(
  table: string,
  { key, of = {}, select, from, json = '' }: TableFacts,
): ExpectedTable {
  const asked = Object.entries(of).map(([column, value]) => [column, text(value)] as const)
  const names = asked.map(([column, value]) => `${value} AS ${column}`)
  return {
    table,
    key: wordsOf(key),
    rows: ['true', ...asked.map(([column, value]) => `${column} = ${value}`)].join(' AND '),
    json: wordsOf(json),
    sql: `SELECT ${[...names, ...select].join(', ')} FROM ${from}`,
  }
}

/** A catalogue: a row for each item of the body, as it was read once. */
export function catalogue(
  asked: AskedFor,
  table: string,
  sketch: Sketch,
  key = sketch[0]![0],
): ExpectedTable {
  const select = [fromJson(sketch), seenOnce(asked), 'place AS list_ordinal']
  return tableOf(table, { key, select, from: items('$') })
}

/** A snapshot: a row for each item of a list in the body. */
export function snapshot(
  asked: AskedFor,
  table: string,
  sketch: Sketch,
  more: Partial<TableFacts> = {},
): ExpectedTable {
  const { select = [], key = 'ordinal', from = items('$'), ...rest } = more
  const columns = [observed(asked), 'place AS ordinal', fromJson(sketch), ...select]
  return tableOf(table, { key, from, select: columns, ...rest })
}

/** A snapshot of one row. */
export function lone(
  asked: AskedFor,
  table: string,
  sketch: Sketch,
  more: Partial<TableFacts> = {},
): ExpectedTable {
  const { select = [], key = '', from = BODY, ...rest } = more
  return tableOf(table, {
    key,
    from,
    select: [observed(asked), fromJson(sketch), ...select],
    ...rest,
  })
}

/** The two columns of a snapshot's moment. */
export function observed({ observedAtMs }: AskedFor): string {
  const at = instant(String(observedAtMs))
  return `${at} AS observed_at, ${utcDay(at)} AS observed_date`
}

/** The two columns of a catalogue that was read once. */
export function seenOnce({ observedAtMs }: AskedFor): string {
  const at = instant(String(observedAtMs))
  return `${at} AS first_seen_at, ${at} AS last_seen_at`
}

function wordsOf(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
}
