import { singleStep } from './request/single-step.ts'
import { catalogueOf, listedAnswer, listedPage, type ListedTable } from './record/listed-table.ts'
import { CATEGORY_ID } from './table/common-columns.ts'
import type { Dataset } from './dataset.ts'
import { field, text, type RecordField } from './record/record-field.ts'
import { WITHOUT_SERIES } from './request/without-series.ts'

const CATEGORY_FIELDS: readonly RecordField[] = [
  field('category_id', CATEGORY_ID),
  text('name', 'Display name when it was last seen.'),
]

/** Every category ever listed since the first sync. */
export const CATEGORIES = catalogueOf(CATEGORY_FIELDS, {
  name: 'categories',
  description:
    'Categories of coins, one row each. A category that is gone keeps its row, and its last_seen_at no longer changes. The source removes many at a time.',
})

const LIST: ListedTable = {
  operation: 'coins/categories/list',
  spec: CATEGORIES,
  fields: CATEGORY_FIELDS,
}

export const categories: Dataset = {
  name: 'categories',
  description: 'The list of categories of coins.',
  kind: 'catalogue',
  operations: [LIST.operation],
  tables: [CATEGORIES],
  entity: null,
  ...WITHOUT_SERIES,
  steps: () => [singleStep(LIST.operation)],
  toTables: (body, context) => listedPage(LIST, body, context),
  answers: { 'coins/categories/list': listedAnswer(LIST) },
  bodies: { 'coins/categories/list': [{ at: '$[*]', fields: CATEGORY_FIELDS }] },
}
