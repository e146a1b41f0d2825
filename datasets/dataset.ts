import type { Table as ArrowTable } from 'apache-arrow'
import type { Granularity } from '../api/granularity.ts'
import type { OperationId } from '../api/operations.ts'
import type { ParamValues } from '../api/operations/describe-operation.ts'
import type { DatasetShape } from '../config/dataset-shape.ts'
import type { RecordField } from './record/record-field.ts'
import type { Column } from './table/column.ts'

export type { Granularity } from '../api/granularity.ts'
export type { Column, ColumnType } from './table/column.ts'

/**
 * How loaded rows meet stored rows.
 * - `facts`: unique by key. Provisional ranges are replaced; changed closed values are kept in _revisions.
 * - `snapshot`: the key holds observed_at. A second load of the same key adds nothing.
 * - `catalogue`: one row per key. first_seen_at stays, last_seen_at and the rest move on.
 */
export type LoadMode = 'facts' | 'snapshot' | 'catalogue'

export interface TableSpec {
  name: string
  description: string
  columns: readonly Column[]
  key: readonly string[]
  /** Order of rows in files: entity, time. */
  sort: readonly string[]
  load: LoadMode
  /** The timestamp column whose UTC month names the Parquet file; null: one file. */
  monthBy: string | null
  /**
   * The key column with the place in a paged listing. Rows of one load that differ only in it are one item. Its first
   * place counts. Absent: every place is an item.
   */
  placeColumn?: string
  /**
   * Facts: the mark in `_absent` by column, for an answer that did not send the column whole. A row so marked leaves the
   * stored value as it is.
   */
  unsent?: Readonly<Record<string, string>>
}

/**
 * The unit of work and of record, half-open [fromMs, toMs) in UTC epoch ms. An unused part is ''. A snapshot's slice is
 * the UTC bucket of its `every`.
 */
export interface Slice {
  dataset: string
  /** Coin id, exchange id, token (`platform_id/contract_address`), query text, or a csv of ids (`entitiesPerSlice`). */
  entity: string
  /** Currency code, or a csv of codes (`currenciesPerSlice`). */
  vsCurrency: string
  /** For a snapshot its `every`: an hourly and a daily snapshot of one listing are two series. */
  granularity: Granularity | Every | ''
  fromMs: number
  toMs: number
}

/** Time between snapshots, as configurations write it: 15m, 6h, 1d. */
export type Every = `${number}${'s' | 'm' | 'h' | 'd'}`

/** One operation asked to answer a slice. `until_short`: page 1, 2, ... until the listing ends. */
export interface RequestStep {
  operation: OperationId
  params: ParamValues
  paging: 'single' | 'until_short'
  /** Items of a full page; 0: `single`. */
  perPage: number
}

export interface StepContext {
  nowMs: number
  /** 2: a request cut differently, after a wrong granularity. */
  attempt: 1 | 2
  /** Days that the key's plan reaches back; null: no limit. Requests are never widened past it. */
  maxHistoryDays: number | null
}

export interface PageContext {
  slice: Slice
  step: RequestStep
  /** Items on the earlier pages of this step. A service may give smaller pages than requested. */
  itemsBefore: number
  /** One time for a whole paged listing, in whole seconds: the first page's Date header, else the clock. */
  observedAtMs: number
  nowMs: number
  /** Present: the answer was accepted before. No rule of today refuses it as a whole. */
  isKept?: true
}

export interface RejectedRow {
  /** Name of the broken rule: `not_a_number`. */
  rule: string
  /** JSON path in the body: `$.prices[17][1]`. */
  path: string
  /** The wrong value or row as JSON. */
  raw: string
}

/** The result of one page. Each point of the body is in `tables`, in `rejected` or in `counts`. */
export interface PageTables {
  /** Only the dataset's tables, with the columns of the TableSpec in its order. */
  tables: { table: string; rows: ArrowTable }[]
  counts: { outsideSlice: number; duplicate: number; future: number }
  rejected: RejectedRow[]
  /** JSON paths that are neither a column nor left out, with their number. */
  unknownPaths: Record<string, number>
  /** Items of the listing on this page. They tell whether the listing ends (plan/listing-pages.ts). */
  itemCount: number
  /** Measured from the points; null: fewer than 2 points, or no series. */
  deliveredGranularity: Granularity | null
  /** Requested stretches without a point: long ones of a chart, and those that the source no longer has. */
  gaps?: readonly { fromMs: number; toMs: number }[]
}

/** A table row as the service reads it. Timestamps are epoch ms, dates 'YYYY-MM-DD', integers numbers, json text. */
export type Row = Record<string, string | number | boolean | null>

/** A query for rows of one table. The service turns it into SQL. Bounds are inclusive. */
export interface RowSelection {
  table: string
  equals?: Record<string, string | number>
  oneOf?: { column: string; values: readonly string[] }
  between?: { column: string; fromMs: number; toMs: number }
  /** Only rows with the text in one of these columns, or as the whole of it (`isWhole`), in either case. */
  contains?: { columns: readonly string[]; text: string; isWhole?: true }
  /**
   * Only the newest matching rows: those with the greatest `column` value at or before `nowMs`.
   * - `per`: the newest for each combination of these columns (never null).
   * - `unfiltered`: the newest row is found before the other conditions, and left out if it does not match.
   * - `bucket`: all rows of the newest row's bucket of `every`; without a ledger, of its time.
   * - `gone`: of a catalogue, the newest row of each id (first key column) that was listed before and is not at `nowMs`.
   */
  newest?: {
    column: string
    nowMs: number
    per?: readonly string[]
    unfiltered?: true
    bucket?: true
    gone?: boolean
  }
  orderBy: readonly { column: string; descending?: boolean }[]
  limit?: number
  offset?: number
}

export interface Answer {
  /** Tables of other datasets can answer alone, as the listing of exchanges does for one of them. */
  hasStandIns?: true
  select(params: ParamValues, nowMs: number): RowSelection[]
  /** Takes one array of rows per selection. Returns the response body; null: not found (404). */
  toBody(rows: readonly Row[][], params: ParamValues, nowMs: number): unknown
}

/** The place of fields in the body of an operation. */
export interface BodyPart {
  /** Path of the object with the fields: `$[*]`, `$.coins[*].item`, `$.rates.*`. */
  at: string
  fields: readonly RecordField[]
  /** Each field is a map or a list of values. The rest of its path leads into each value. */
  each?: 'map' | 'list'
}

export interface Dataset extends DatasetShape {
  /** The name of one point: price, candle. Default: the dataset's name. */
  pointName?: string
  operations: readonly OperationId[]
  tables: readonly TableSpec[]
  /** Most ids of one slice, where the operation takes a csv of ids. Default 1. */
  entitiesPerSlice?: number
  /** Only ids of one group (a token's platform) may share a slice. Absent: all ids may. */
  sliceGroup?(entity: string): string
  /** Most currencies of one slice, where the operation takes a csv of them. Default 1. */
  currenciesPerSlice?: number
  /** Usual rows of one slice, where the body is no list of rows. For the plan's price. */
  rowsPerSlice?: number
  /** Range kind: longest slice in ms; Infinity: no limit. */
  maxSliceMs(granularity: Slice['granularity']): number
  /** How far back the source can answer, in ms; null: everything. */
  reachMs(granularity: Slice['granularity']): number | null
  /** Points newer than this, in ms, are still moving or late. */
  settleMs(granularity: Slice['granularity']): number
  /** Usual time from the start of a step to its point, in ms; 5 minutes or more. */
  lateMs(granularity: Slice['granularity']): number
  /** Greatest age of the source's cached answers, in ms. */
  cacheMs(granularity: Slice['granularity']): number
  /** Rows are candles: `ts` is the start of a step, and the row comes after the step's end. */
  isOfCandles?: true
  leftOut: readonly { path: string; reason: string }[]
  steps(slice: Slice, context: StepContext): RequestStep[]
  /** @throws SourceDataError when the body as a whole does not have the operation's shape */
  toTables(body: unknown, context: PageContext): PageTables
  answers: Partial<Record<OperationId, Answer>>
  /** The parts of its operations' bodies. Series and quotes have none. */
  bodies?: Partial<Record<OperationId, readonly BodyPart[]>>
}
