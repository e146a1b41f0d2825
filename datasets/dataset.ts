import type { Table as ArrowTable } from 'apache-arrow'
import type { Granularity } from '../api/granularity.ts'
import type { OperationId } from '../api/operations.ts'
import type { ParamValues } from '../api/operations/describe-operation.ts'
import type { BodyPart } from './record/body-part.ts'
import type { Column } from './table/column.ts'

export type { Granularity } from '../api/granularity.ts'
export type { Column, ColumnType } from './table/column.ts'

/**
 * How rows of a table meet rows that are there already.
 * `facts`: unique by key, provisional ranges replaced, changed closed values kept in _revisions.
 * `snapshot`: the key holds observed_at; a second load of the same key adds nothing.
 * `catalogue`: one row per key; first_seen_at stays, last_seen_at and the rest move on.
 */
export type LoadMode = 'facts' | 'snapshot' | 'catalogue'

export interface TableSpec {
  name: string
  description: string
  columns: readonly Column[]
  key: readonly string[]
  /** Order of rows in files: (entity, time). */
  sort: readonly string[]
  load: LoadMode
  /** The timestamp column whose UTC month names the Parquet file; null = one file. */
  monthBy: string | null
  /**
   * The key column with the place in a paged listing. Rows of one load that are equal in all else are one
   * item that came twice, and only its first place is kept. Absent = every place is an item.
   */
  placeColumn?: string
  /**
   * Facts, by column: the mark in `_absent` of a row whose answer did not send the column at all. Such a
   * row leaves the stored value of the column as it is.
   */
  unsent?: Readonly<Record<string, string>>
}

export type Kind = 'range' | 'trailing' | 'dated' | 'snapshot' | 'catalogue'

/**
 * The unit of work and of record, half-open [fromMs, toMs) in UTC epoch milliseconds. A part that
 * does not apply is the empty string. A snapshot's slice is the UTC bucket of its `every`.
 */
export interface Slice {
  dataset: string
  /** Coin id, exchange id, token (`platform_id/contract_address`), query text, a csv of ids (`entitiesPerSlice`), or ''. */
  entity: string
  /** A csv of currencies where one request asks for several (`currenciesPerSlice`). */
  vsCurrency: string
  /** For a snapshot its `every`, so an hourly and a daily snapshot of one listing are two series. */
  granularity: Granularity | Every | ''
  fromMs: number
  toMs: number
}

/** Time between snapshots, as configurations write it: 15m, 6h, 1d. */
export type Every = `${number}${'s' | 'm' | 'h' | 'd'}`

/** One operation asked to answer a slice; `until_short` = page 1, 2, ... until a page is short. */
export interface RequestStep {
  operation: OperationId
  params: ParamValues
  paging: 'single' | 'until_short'
  /** Items of a full page; 0 for single. */
  perPage: number
}

export interface StepContext {
  nowMs: number
  /** 1 = the first request; 2 = a request cut differently, after a wrong granularity. */
  attempt: 1 | 2
  /** How many days back the key's plan reaches; null = no limit. Requests are never widened past it. */
  maxHistoryDays: number | null
}

export interface PageContext {
  slice: Slice
  step: RequestStep
  stepIndex: number
  /** From 1. */
  page: number
  /** Items on the earlier pages of this step; a service may give smaller pages than were asked for. */
  itemsBefore: number
  /** One time for a whole paged listing: the first page's Date header, else the clock. Whole seconds. */
  observedAtMs: number
  nowMs: number
  /** The answer was taken before, by the rules of its time: none refuses it as a whole now. */
  isKept?: true
}

export interface RejectedRow {
  /** Name of the broken rule, e.g. `not_a_number`. */
  rule: string
  /** JSON path in the body, e.g. `$.prices[17][1]`. */
  path: string
  /** The offending value or row as JSON. */
  raw: string
}

/** The result of one page. Every point of the body is in `tables`, in `rejected`, or in one of `counts`. */
export interface PageTables {
  /** Only the dataset's own tables; columns exactly and in the order of TableSpec.columns. */
  tables: { table: string; rows: ArrowTable }[]
  counts: { outsideSlice: number; duplicate: number; future: number }
  rejected: RejectedRow[]
  /** JSON paths that are neither a column nor left out, with how often. */
  unknownPaths: Record<string, number>
  /** Items of the listing on this page, for the short-page rule. */
  itemCount: number
  /** Measured from the points; null = not measurable (fewer than 2 points, or no series). */
  deliveredGranularity: Granularity | null
  /** Charts: long stretches of the slice that were requested and have no point. */
  gaps?: readonly { fromMs: number; toMs: number }[]
}

/** A table row as the service reads it: timestamps are epoch ms, dates 'YYYY-MM-DD', integers numbers, json text. */
export type Row = Record<string, string | number | boolean | null>

/** A declarative query for rows of one table, which the service turns into SQL. Bounds are inclusive. */
export interface RowSelection {
  table: string
  equals?: Record<string, string | number>
  oneOf?: { column: string; values: readonly string[] }
  between?: { column: string; fromMs: number; toMs: number }
  /** Only rows with the text in one of these columns, in upper or lower case. */
  contains?: { columns: readonly string[]; text: string }
  /**
   * Only the newest matching rows: those with the greatest `column` value at or before `nowMs`.
   * `per`: the newest for each combination of these columns (never null). `unfiltered`: an entity whose
   * newest row does not match is left out. `bucket`: only from the bucket of `every` of the newest row,
   * because several slices may fill one bucket; without a ledger, only from the newest row's time.
   * `gone`: of a catalogue, only rows that were listed before and are not at `nowMs`.
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

/** The answer of an operation, made from rows. */
export interface Answer {
  select(params: ParamValues, nowMs: number): RowSelection[]
  /** One array of rows per selection. Returns the response body, or null for "not found" (404). */
  toBody(rows: readonly Row[][], params: ParamValues, nowMs: number): unknown
}

export interface Dataset {
  name: string
  description: string
  /** The name of one point (price, candle); absent = the dataset's name. */
  pointName?: string
  kind: Kind
  operations: readonly OperationId[]
  tables: readonly TableSpec[]
  /** The kind of a slice's entity. */
  entity: 'coin' | 'exchange' | 'derivative_exchange' | 'token' | 'query' | null
  /** The most ids of one slice, for snapshots whose operation takes a csv of ids; absent = 1. */
  entitiesPerSlice?: number
  /** Only ids of one group (a token's platform) may share a slice; absent = all ids may. */
  sliceGroup?(entity: string): string
  /** The most currencies of one slice, for snapshots whose operation takes a csv of them; absent = 1. */
  currenciesPerSlice?: number
  /** About how many rows one slice brings when its body is no list of rows; the plan's price uses it. */
  rowsPerSlice?: number
  perCurrency: boolean
  /** [] when the dataset has none. The first is the default. */
  granularities: readonly Granularity[]
  /** Longest slice of a granularity in ms (range kind); Infinity = no limit. */
  maxSliceMs(granularity: Slice['granularity']): number
  /** Trailing kind: how far back the source can answer at this granularity, in ms; null = everything. */
  reachMs(granularity: Slice['granularity']): number | null
  /** Points newer than now minus this are still moving or late. */
  settleMs(granularity: Slice['granularity']): number
  /** The source usually has a step's point at most this long after the step began; 5 minutes or more. */
  lateMs(granularity: Slice['granularity']): number
  /** The greatest age of a cached answer of the source. */
  cacheMs(granularity: Slice['granularity']): number
  /** Rows are candles: `ts` is the start of a step, and the source has the row after the step's end. */
  isOfCandles?: true
  /** JSON paths of the body that become no column, each with the reason. */
  leftOut: readonly { path: string; reason: string }[]
  steps(slice: Slice, context: StepContext): RequestStep[]
  /** @throws SourceDataError when the body as a whole has not the operation's shape. */
  toTables(body: unknown, context: PageContext): PageTables
  answers: Partial<Record<OperationId, Answer>>
  /** The parts of its operations' bodies; absent for series and quotes. */
  bodies?: Partial<Record<OperationId, readonly BodyPart[]>>
}
