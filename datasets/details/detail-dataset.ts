import type { Dataset } from '../dataset.ts'
import { bodyWithText } from '../record/envelope.ts'
import { type NestedBody, nestedParts } from '../record/nested-body.ts'
import { readNested } from '../record/read-nested.ts'
import { snapshotDataset, type SnapshotFacts } from '../request/snapshot-dataset.ts'
import { TICKER_FIELDS } from '../tickers/exchange-ticker-fields.ts'

/** Rows of a large coin: 62 currencies, and some 90 platforms, categories, links and languages. */
const ROWS_PER_DETAIL = 150

interface DetailFacts extends Omit<SnapshotFacts, 'tables' | 'toTables'> {
  /** The values of the id columns for a slice's entity. */
  idsOf: (entity: string) => Readonly<Record<string, string>>
}

export function detailDataset(nested: NestedBody, { idsOf, ...facts }: DetailFacts): Dataset {
  return snapshotDataset({
    ...facts,
    tables: [nested.parent, ...nested.children.map(({ spec }) => spec)],
    rowsPerSlice: ROWS_PER_DETAIL,
    toTables: (body, context) =>
      readNested(nested, bodyWithText(body, 'id'), context, idsOf(context.slice.entity)),
    parts: [...nestedParts(nested), { at: '$.tickers[*]', fields: TICKER_FIELDS }],
  })
}
