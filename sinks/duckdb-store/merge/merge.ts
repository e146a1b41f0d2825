import type { TableSpec } from '../../../datasets/dataset.ts'
import { quoteName } from '../../../datasets/table/ddl.ts'
import type { Session } from '../session.ts'

/** The effect of a load on one table. Rows after = rows before + inserted - replaced. */
export class MergeCounts {
  readonly table: string
  inserted = 0
  replaced = 0
  revised = 0
  duplicate = 0
  /** Rows that repeat a key within the load, by slice ordinal. */
  readonly duplicateBySlice = new Map<number, number>()
  /** Items on more than one page of their listing, by slice ordinal. */
  readonly movedBySlice = new Map<number, number>()
  /** UTC months that changed, or WHOLE_TABLE. */
  readonly months = new Set<string>()

  constructor(table: string) {
    this.table = table
  }
}

/** One table's part of a load. Runs in the load's transaction. */
export interface Merge {
  session: Session
  table: TableSpec
  loadId: number
  counts: MergeCounts
}

export const TEMP = {
  /** The pages, each with its slice, the time of its answer, and the end of its final points. */
  pages: 'temp.load_pages',
  slices: 'temp.load_slices',
  /** The slices of any run that overlap the claimed ones. */
  overlapped: 'temp.load_overlapped',
  /** Rowids of the stage table that are not inserted. */
  skip: 'temp.load_skip',
  /** Rows of the stage table that repeat another. */
  repeats: 'temp.load_repeats',
  /** Rows of the target to delete. */
  gone: 'temp.load_gone',
  /** Pairs of rowids of the stage table and the target: one point of two answers. */
  matched: 'temp.load_matched',
} as const

/** The TEMP table of a load's rows for a table, with the page of each row. */
export function stageName(table: TableSpec): string {
  return `temp.${quoteName(`stage_${table.name}`)}`
}

/** The time column of a table of facts, quoted. */
export function timeColumn({ table }: Pick<Merge, 'table'>): string {
  return quoteName(table.monthBy!)
}
