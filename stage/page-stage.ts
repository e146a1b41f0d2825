import type { Table as ArrowTable } from 'apache-arrow'
import type { OperationId } from '../api/operation.ts'
import type { Granularity, RejectedRow, Slice } from '../datasets/dataset.ts'

/** Which page of which fetching of which slice. */
export interface PageKey {
  sliceId: string
  generation: number
  /** Index of the request step, from 0. */
  step: number
  /** From 1. */
  page: number
}

/** What is known of a page that is not its rows. Written last, so that its presence means the page is whole. */
export interface PageFacts {
  key: PageKey
  slice: Slice
  operation: OperationId
  /** Without secrets: the key travels in a header. */
  url: string
  status: number
  /** Local clock when the request left. */
  requestedAtMs: number
  /** The source's Date header, else the clock: when the source answered. */
  fetchedAtMs: number
  durationMs: number
  /** Physical requests this page cost, connection retries included. */
  calls: number
  observedAtMs: number
  counts: { outsideSlice: number; duplicate: number; future: number }
  rejected: RejectedRow[]
  unknownPaths: Record<string, number>
  itemCount: number
  /** Items of the listing up to this page; absent in records of an older coinlake. */
  itemsSoFar?: number
  /** Items of the whole listing as the source told with this page; null or absent: it did not. */
  toldItems?: number | null
  deliveredGranularity: Granularity | null
  /** The page that follows, null when this was the slice's last. */
  next: { step: number; page: number } | null
}

export interface StagedFile {
  name: string
  sizeBytes: number
  /** SHA-256 of the content, hex. */
  sha256: string
}

export interface StagedPage extends PageFacts {
  raw: StagedFile & { uncompressedBytes: number }
  tables: (StagedFile & { table: string; rowCount: number })[]
}

export interface PageToStage {
  facts: PageFacts
  rawBody: Uint8Array
  tables: { table: string; rows: ArrowTable }[]
}

/** The durable place a fetched page goes before anything else. */
export interface PageStage {
  /** The page if it is staged and its checksums hold; a damaged page is moved aside and counts as absent. */
  find(key: PageKey): Promise<StagedPage | null>
  /** All pages of a slice in order; null unless every page up to the last (`next === null`) is whole. */
  findSlice(sliceId: string, generation: number): Promise<StagedPage[] | null>
  write(page: PageToStage): Promise<StagedPage>
  /** Reads back one table, checking its hash. @throws StageError STAGE_DAMAGED */
  readTable(page: StagedPage, table: string): Promise<ArrowTable>
  readRaw(page: StagedPage): Promise<Uint8Array>
  /** After the load of a slice: its IPC files go, raw bodies stay or go by `stage.keep`. Again = no change. */
  release(sliceId: string, generation: number): Promise<void>
  /** Removes temp files of dead writers. */
  sweep(): Promise<void>
}
