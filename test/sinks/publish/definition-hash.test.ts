import { expect, test } from 'vitest'
import { datasets } from '../../../datasets/index.ts'
import { storedColumns } from '../../../datasets/table/ddl.ts'

/** The files of a publication keep a hash of the JSON text of their columns. A file with another hash is made anew. */
test('the keys of columns keep their order, so that an upgrade makes no published file anew', () => {
  const orders = datasets
    .flatMap(({ tables }) => tables)
    .flatMap((table) => storedColumns(table).map((column) => Object.keys(column).join(' ')))
  expect([...new Set(orders)].toSorted()).toEqual([
    'name type unit description',
    'name type unit description nullable',
    'name type unit nullable defaultsTo description',
    'name type unit nullable description',
  ])
})
