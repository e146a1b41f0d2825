import { required } from './column.ts'
import type { Column, TableSpec } from '../dataset.ts'

const IS_PROVISIONAL = required(
  'is_provisional',
  'boolean',
  'True while the source may still change this point; a later load replaces it.',
)

/** The last column, as in a migrated older store. Rows are appended by the order of columns. */
const IS_MOVING: Column = {
  name: 'is_moving',
  type: 'boolean',
  unit: null,
  nullable: false,
  defaultsTo: false,
  description:
    'True for the last point of an answer, whose time is that of the answer and not of a step. The next load replaces it, and views show it as moving_price or leave it out. Also true for rows that `coinlake verify --repair` found damaged, until they are fetched again.',
}

const LINEAGE: readonly Column[] = [
  required(
    'fetched_at',
    'timestamp',
    'When the source answered the page of this row (its Date header).',
  ),
  required(
    'slice_id',
    'string',
    'The slice that brought this row. _slices has a slice once for each run that planned it, so join on slice_id and load_id where pages > 0; a row that `coinlake quarantine replay` loaded has no match.',
  ),
  required('load_id', 'integer', 'The load that wrote this row; joins to _loads.'),
]

/** The technical columns at the end of every table. The store fills them at load. */
export function lineageColumns(table: TableSpec): readonly Column[] {
  return table.load === 'facts' ? [IS_PROVISIONAL, ...LINEAGE, IS_MOVING] : LINEAGE
}
