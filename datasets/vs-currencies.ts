import { required } from './table/column.ts'
import { catalogueBy } from './table/row-keys.ts'
import { singleStep } from './request/single-step.ts'
import { SourceDataError } from '../api/errors.ts'
import { tableFromColumns } from './arrow/arrow-columns.ts'
import { FIRST_SEEN_AT, LAST_SEEN_AT, LIST_ORDINAL } from './table/common-columns.ts'
import type { Answer, Dataset, RejectedRow, TableSpec } from './dataset.ts'
import { listingPage } from './record/listing.ts'
import { reject } from './record/rejected-rows.ts'
import { WITHOUT_SERIES } from './request/without-series.ts'

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
  select: (_, nowMs) => [
    {
      table: VS_CURRENCIES.name,
      newest: { column: 'last_seen_at', nowMs },
      orderBy: [{ column: 'list_ordinal' }],
    },
  ],
  toBody: ([rows = []]) => rows.map((row) => row['currency']),
}

export const vsCurrencies: Dataset = {
  name: 'vs_currencies',
  description: 'The list of currencies in which values can be quoted.',
  kind: 'catalogue',
  operations: ['simple/supported_vs_currencies'],
  tables: [VS_CURRENCIES],
  entity: null,
  ...WITHOUT_SERIES,
  steps: () => [singleStep('simple/supported_vs_currencies')],
  toTables: (body, { observedAtMs }) => {
    if (!Array.isArray(body)) throw new SourceDataError('$ is no array')
    const rejected: RejectedRow[] = []
    const places = new Map<string, number>()
    body.forEach((code: unknown, index) => {
      // UTF-8 cannot hold half a character. The code would become another one.
      if (typeof code === 'string' && code.isWellFormed()) places.set(code, index)
      else reject(rejected, 'not_a_text', `$[${index}]`, code)
    })
    const listed = [...places].toSorted(([, a], [, b]) => a - b)
    const seen = { constant: observedAtMs }
    const columns = {
      currency: listed.map(([code]) => code),
      first_seen_at: seen,
      last_seen_at: seen,
      list_ordinal: listed.map(([, index]) => index),
    }
    const rows = tableFromColumns(VS_CURRENCIES, columns, listed.length)
    const duplicates = body.length - rejected.length - listed.length
    const facts = { rejected, unknownPaths: {}, itemCount: body.length, duplicates }
    return listingPage(facts, [{ table: VS_CURRENCIES.name, rows }])
  },
  answers: { 'simple/supported_vs_currencies': answer },
}
