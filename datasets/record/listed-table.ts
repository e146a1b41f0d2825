import { catalogueBy, snapshotBy } from '../table/row-keys.ts'
import { SourceDataError } from '../../api/errors.ts'
import type { OperationId, ParamValues } from '../../api/operation.ts'
import { tableFromColumns } from '../arrow/arrow-columns.ts'
import {
  ABSENT,
  EXTRA,
  FIRST_SEEN_AT,
  LAST_SEEN_AT,
  LIST_ORDINAL,
  OBSERVED_AT,
  OBSERVED_DATE,
  ORDINAL,
} from '../table/common-columns.ts'
import type { Answer, PageContext, PageTables, RowSelection, TableSpec } from '../dataset.ts'
import { itemsOf, listingColumns, listingPage, ordinals, readListing } from './listing.ts'
import { columnsOf, type RecordField } from './record-field.ts'
import { writeRecord } from './write-record.ts'

/** A list of the source that fills one table, an object a row. */
export interface ListedTable {
  operation: OperationId
  spec: TableSpec
  fields: readonly RecordField[]
}

type SpecFacts = Pick<TableSpec, 'name' | 'description'>

/** A catalogue of all that was ever in a list, told apart by its first column. */
export function catalogueOf(fields: readonly RecordField[], facts: SpecFacts): TableSpec {
  const [id, ...columns] = columnsOf(fields)
  const key = [id!.name]
  return {
    ...facts,
    columns: [id!, ...columns, FIRST_SEEN_AT, LAST_SEEN_AT, LIST_ORDINAL, ABSENT, EXTRA],
    ...catalogueBy(key),
  }
}

/** A list as it was at one moment, told apart by its first column. */
export function lookAt(
  fields: readonly RecordField[],
  facts: SpecFacts,
  ordinal = ORDINAL,
): TableSpec {
  const [id, ...columns] = columnsOf(fields)
  const key = [id!.name, OBSERVED_AT.name]
  return {
    ...facts,
    columns: [id!, OBSERVED_AT, OBSERVED_DATE, ordinal, ...columns, ABSENT, EXTRA],
    ...snapshotBy(key),
  }
}

/** @throws SourceDataError when the body is no list */
export function listedPage(
  { spec, fields }: Omit<ListedTable, 'operation'>,
  body: unknown,
  context: PageContext,
): PageTables {
  if (!Array.isArray(body)) throw new SourceDataError('$ is no array')
  // Of several with one key the last one counts, where their place in the list is no part of it.
  const key = spec.key.filter((name) => name !== OBSERVED_AT.name)
  const listing = readListing(fields, itemsOf(body), '$', key.includes(ORDINAL.name) ? [] : key)
  const at = { constant: context.observedAtMs }
  const place = ordinals(listing.rows, context)
  const columns = {
    ...listingColumns(fields, listing.rows),
    ...(spec.load === 'catalogue'
      ? { first_seen_at: at, last_seen_at: at, list_ordinal: place }
      : { observed_at: at, observed_date: at, ordinal: place }),
  }
  const rows = tableFromColumns(spec, columns, listing.rows.length)
  return listingPage(listing, [{ table: spec.name, rows }])
}

/** The newest look at a list, in its order; `more` says what else the parameters ask for. */
export function listedAnswer(
  { spec, fields }: ListedTable,
  more: (params: ParamValues) => Partial<RowSelection> & { gone?: boolean } = () => ({}),
): Answer {
  return {
    select: (params, nowMs) => {
      const { gone, ...rest } = more(params)
      const { newest, ...all } = newestOf(spec, nowMs)
      return [{ ...all, ...rest, newest: gone === undefined ? newest! : { ...newest!, gone } }]
    },
    toBody: ([rows = []]) => rows.map((row) => writeRecord(fields, row)),
  }
}

/** Rows of the newest look at a list. */
export function newestOf({ name: table, load }: TableSpec, nowMs: number): RowSelection {
  const [column, place] =
    load === 'catalogue' ? [LAST_SEEN_AT, LIST_ORDINAL] : [OBSERVED_AT, ORDINAL]
  return {
    table,
    newest: { column: column.name, nowMs },
    orderBy: [{ column: place.name }],
  }
}
