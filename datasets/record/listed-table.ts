import { catalogueBy } from '../table/row-keys.ts'
import { SourceDataError } from '../../api/errors.ts'
import { type OperationId, operations } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import {
  ABSENT,
  EXTRA,
  FIRST_SEEN_AT,
  LAST_SEEN_AT,
  LIST_ORDINAL,
  OBSERVED_AT,
  ORDINAL,
} from '../table/common-columns.ts'
import type { Answer, Dataset, PageContext, PageTables, TableSpec } from '../dataset.ts'
import { pageWindow } from '../request/page-window.ts'
import { pagedStep, singleStep } from '../request/steps.ts'
import { WITHOUT_SERIES } from '../request/snapshot-dataset.ts'
import { itemsOf, listingPage, listingTable, readListing } from './listing.ts'
import { newestRows } from './newest-rows.ts'
import { columnsOf, type RecordField } from './record-field.ts'
import { writeRecord } from './write-record.ts'

interface AskedList {
  operation: OperationId
  spec: TableSpec
  fields: readonly RecordField[]
  params?: ParamValues
  /** Adds to the selection of the answer. */
  more?: (params: ParamValues) => Parameters<typeof newestRows>[2]
}

/** The table of everything that was ever in a list. The first field is the key. */
export function catalogueOf(
  fields: readonly RecordField[],
  facts: Pick<TableSpec, 'name' | 'description'>,
): TableSpec {
  const [id, ...columns] = columnsOf(fields)
  const key = [id!.name]
  return {
    ...facts,
    columns: [id!, ...columns, FIRST_SEEN_AT, LAST_SEEN_AT, LIST_ORDINAL, ABSENT, EXTRA],
    ...catalogueBy(key),
  }
}

/** The page of a body that is a list. @throws SourceDataError: the body is no list */
export function listedPage(
  { spec, fields }: Pick<AskedList, 'spec' | 'fields'>,
  body: unknown,
  context: PageContext,
): PageTables {
  if (!Array.isArray(body)) throw new SourceDataError('$ is no array')
  // If the key has the ordinal, every item is a row. Otherwise the last item of a key counts.
  const key = spec.key.filter((name) => name !== OBSERVED_AT.name)
  const listing = readListing(fields, itemsOf(body), '$', key.includes(ORDINAL.name) ? [] : key)
  return listingPage(listing, [listingTable(spec, fields, listing.rows, context)])
}

function listedAnswer({ operation, spec, fields, more }: AskedList): Answer {
  const { paging } = operations[operation]
  return {
    select: (params, nowMs) => [
      newestRows(spec, nowMs, { ...more?.(params), ...(paging && pageWindow(operation, params)) }),
    ],
    toBody: ([rows = []]) => rows.map((row) => writeRecord(fields, row)),
  }
}

export function listedDataset(
  facts: Pick<Dataset, 'name' | 'description' | 'kind'>,
  lists: readonly AskedList[],
): Dataset {
  const of = (operation: OperationId): AskedList =>
    lists.find((list) => list.operation === operation)!
  return {
    ...facts,
    operations: lists.map(({ operation }) => operation),
    tables: lists.map(({ spec }) => spec),
    ...WITHOUT_SERIES,
    steps: () =>
      lists.map(({ operation, params }) => {
        const perPage = operations[operation].paging?.maxPerPage
        if (perPage === undefined) return singleStep(operation, params)
        return pagedStep(operation, { ...params, per_page: String(perPage) }, perPage)
      }),
    toTables: (body, context) => listedPage(of(context.step.operation), body, context),
    answers: Object.fromEntries(lists.map((list) => [list.operation, listedAnswer(list)])),
    bodies: Object.fromEntries(
      lists.map(({ operation, fields }) => [operation, [{ at: '$[*]', fields }]]),
    ),
  }
}
