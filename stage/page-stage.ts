import type { Table as ArrowTable } from 'apache-arrow'
import type { OperationId } from '../api/operations.ts'
import type { EncodedBody } from '../api/response-body.ts'
import type { PageTables, Slice } from '../datasets/dataset.ts'

/** Identity of a page. `generation`: how many times its slice had ended before. */
export interface PageKey {
  sliceId: string
  generation: number
  /** Index of the request step. */
  step: number
  /** Page of the listing, from 1. */
  page: number
}

/** `gaps` is absent in records of an older coinlake. */
export interface PageFacts extends Omit<PageTables, 'tables'> {
  key: PageKey
  slice: Slice
  operation: OperationId
  /** Has no secrets: the key travels in a header. */
  url: string
  status: number
  /** Local clock when the request left. */
  requestedAtMs: number
  /** When the source answered: its Date header, else the local clock. */
  fetchedAtMs: number
  durationMs: number
  /** Physical requests, connection retries included. */
  calls: number
  observedAtMs: number
  /** Items of the listing up to this page. */
  itemsSoFar: number
  /** Items of the whole listing, as the source reports it; null or absent: not reported. */
  toldItems?: number | null
  /** The next page; null: this is the slice's last. */
  next: { step: number; page: number } | null
}

export interface StagedPage extends PageFacts {
  /** `sizeBytes` and `sha256` (hex) of the decoded body; `keptBytes`: its size in the file. */
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
  /** The body as the source compressed it. Kept instead of `rawBody`. */
  encoded?: EncodedBody | null
  tables: TableRows[]
}

export interface PageStage {
  /** The page, if it is staged and undamaged. A damaged page is moved aside and counts as absent. */
  find(key: PageKey): Promise<StagedPage | null>
  /** All pages of a slice with their rows in memory, in order; null: one is missing or damaged. */
  findSlice(sliceId: string, generation: number): Promise<StagedPage[] | null>
  write(page: PageToStage): Promise<StagedPage>
  /** Checks before a call that the stage has room for its answer. @throws StageError STAGE_DISK_FULL */
  requireRoom(): Promise<void>
  /** The rows of one table, from memory or made again. @throws StageError STAGE_DAMAGED */
  readTable(page: StagedPage, table: string): Promise<ArrowTable>
  /** The decoded body. @throws StageError STAGE_DAMAGED */
  readRaw(page: StagedPage): Promise<Uint8Array>
  /** Call after the commit of the pages' load. Forgets the rows, and removes the files unless answers are kept. */
  release(pages: readonly StagedPage[]): Promise<void>
  /** Removes temp files of dead writers. */
  sweep(): Promise<void>
}
