import type { Table as ArrowTable } from 'apache-arrow'
import type { OperationId } from '../api/operation.ts'
import type { EncodedBody } from '../api/response-body.ts'
import type { Granularity, PageTables, RejectedRow, Slice } from '../datasets/dataset.ts'

/** Identity of a page: the slice, how often it was loaded before, and the place of the page in it. */
export interface PageKey {
  sliceId: string
  generation: number
  /** Index of the request step, from 0. */
  step: number
  /** Page of the listing, from 1. */
  page: number
}

/** The facts of a page beside its rows. */
export interface PageFacts {
  key: PageKey
  slice: Slice
  operation: OperationId
  /** Has no secrets, because the key travels in a header. */
  url: string
  status: number
  /** Local clock when the request left. */
  requestedAtMs: number
  /** When the source answered, by its Date header, else by the local clock. */
  fetchedAtMs: number
  durationMs: number
  /** Physical requests that the page cost, connection retries included. */
  calls: number
  observedAtMs: number
  counts: { outsideSlice: number; duplicate: number; future: number }
  rejected: RejectedRow[]
  unknownPaths: Record<string, number>
  itemCount: number
  /** Items of the listing up to this page; absent in records of an older coinlake. */
  itemsSoFar?: number
  /** Items of the whole listing as the source reported with this page; null or absent = not reported. */
  toldItems?: number | null
  deliveredGranularity: Granularity | null
  /** As in `PageTables`; absent in records of an older coinlake, too. */
  gaps?: PageTables['gaps']
  /** The next page; null = this is the slice's last. */
  next: { step: number; page: number } | null
}

/** A staged page: its facts, the facts of its body, and its number of rows by table. */
export interface StagedPage extends PageFacts {
  /** `sizeBytes` and `sha256` (hex) are those of the decoded body, `keptBytes` is the size in the file. */
  body: { encoding: EncodedBody['encoding']; keptBytes: number; sizeBytes: number; sha256: string }
  tables: { table: string; rowCount: number }[]
}

export interface TableRows {
  table: string
  rows: ArrowTable
}

export interface PageToStage {
  facts: PageFacts
  rawBody: Uint8Array
  /** The body as the source compressed it; if present, it is kept instead of `rawBody`. */
  encoded?: EncodedBody | null
  tables: TableRows[]
}

/** The durable place of fetched pages, before their load and after it. */
export interface PageStage {
  /** The page, if it is staged and undamaged; a damaged page is moved aside and counts as absent. */
  find(key: PageKey): Promise<StagedPage | null>
  /**
   * All pages of a slice in order, ready to be loaded; null unless every page up to the last (`next === null`)
   * is whole. Rows that are no longer in memory are made again by the rules of today.
   */
  findSlice(sliceId: string, generation: number): Promise<StagedPage[] | null>
  write(page: PageToStage): Promise<StagedPage>
  /** Checks before a call that its answer can be kept. @throws StageError STAGE_DISK_FULL */
  requireRoom(): Promise<void>
  /** The rows of one table, from memory or made again. @throws StageError STAGE_DAMAGED */
  readTable(page: StagedPage, table: string): Promise<ArrowTable>
  readRaw(page: StagedPage): Promise<Uint8Array>
  /** Called after the commit of the pages' load. Forgets the rows, and removes the files unless answers are kept. */
  release(pages: readonly StagedPage[]): Promise<void>
  /** Removes temp files of dead writers. */
  sweep(): Promise<void>
}
