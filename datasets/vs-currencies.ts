import { required } from './table/column.ts'
import { catalogueBy } from './table/row-keys.ts'
import { SourceDataError } from '../api/errors.ts'
import { FIRST_SEEN_AT, LAST_SEEN_AT, LIST_ORDINAL } from './table/common-columns.ts'
import type { Answer, RejectedRow, TableSpec } from './dataset.ts'
import { isCleanText } from './record/record-value.ts'
import { listingPage, rowsTable } from './record/listing.ts'
import { reject } from './record/rejected-rows.ts'
import { newestRows } from './record/newest-rows.ts'
import { snapshotDataset } from './request/snapshot-dataset.ts'

export const VS_CURRENCIES: TableSpec = {
  name: 'vs_currencies',
  description:
    'Currencies in which the source quotes values, one row each. A currency that is dropped keeps its row, and its last_seen_at no longer changes.',
  columns: [
    required(
      'currency',
      'string',
      'Currency code, lower case: fiat money, metals (xau), and coins and their parts (btc, sats). Not the same set as the currencies of exchange_rates.',
    ),
    FIRST_SEEN_AT,
    LAST_SEEN_AT,
    LIST_ORDINAL,
  ],
  ...catalogueBy(['currency']),
}

const answer: Answer = {
  select: (_, nowMs) => [newestRows(VS_CURRENCIES, nowMs)],
  toBody: ([rows = []]) => rows.map((row) => row['currency']),
}

export const vsCurrencies = snapshotDataset({
  name: 'vs_currencies',
  description: 'The list of currencies in which values can be quoted.',
  kind: 'catalogue',
  operation: 'simple/supported_vs_currencies',
  tables: [VS_CURRENCIES],
  toTables: (body, context) => {
    if (!Array.isArray(body)) throw new SourceDataError('$ is no array')
    const rejected: RejectedRow[] = []
    const places = new Map<string, number>()
    body.forEach((code: unknown, index) => {
      // A lone surrogate would be replaced in the table. The code would become another one.
      if (isCleanText(code)) places.set(code, index)
      else reject(rejected, 'not_a_text', `$[${index}]`, code)
    })
    const listed = [...places].toSorted(([, a], [, b]) => a - b)
    const rows = listed.map(([currency, list_ordinal]) => ({ currency, list_ordinal }))
    const duplicates = body.length - rejected.length - listed.length
    const facts = { rejected, unknownPaths: {}, itemCount: body.length, duplicates }
    return listingPage(facts, [rowsTable(VS_CURRENCIES, rows, context)])
  },
  answer,
})
