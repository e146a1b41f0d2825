import { catalogueOf, listedDataset } from './record/listed-table.ts'
import { CATEGORY_ID } from './table/common-columns.ts'
import { field, text, type RecordField } from './record/record-field.ts'

const CATEGORY_FIELDS: readonly RecordField[] = [
  field('category_id', CATEGORY_ID),
  text('name', 'Display name when it was last seen.'),
]

export const CATEGORIES = catalogueOf(CATEGORY_FIELDS, {
  name: 'categories',
  description:
    'Categories of coins, one row each. A category that is gone keeps its row, and its last_seen_at no longer changes. The source removes many at a time.',
})

export const categories = listedDataset(
  { name: 'categories', description: 'The list of categories of coins.', kind: 'catalogue' },
  [{ operation: 'coins/categories/list', spec: CATEGORIES, fields: CATEGORY_FIELDS }],
)
