/**
 * What a recorded body must look like in a table, said in SQL over the JSON text by DuckDB's own
 * functions. Written by hand from the data dictionary; it shares nothing with datasets/.
 */
export interface ExpectedTable {
  table: string
  /** A SELECT with the table's columns; `{file}` stands for the quoted path of the recording. */
  sql: string
  /** Columns that tell rows apart. */
  key: readonly string[]
  /** SQL condition: rows of the table that this recording brought; all of them if left out. */
  rows?: string
  /** Columns that hold JSON text: equal are those with the same members and values. */
  json?: readonly string[]
}

/** What the recording does not say itself: it was asked for. */
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
