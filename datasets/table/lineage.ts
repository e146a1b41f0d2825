import type { Column, TableSpec } from '../dataset.ts'

const IS_PROVISIONAL: Column = {
  name: 'is_provisional',
  type: 'boolean',
  unit: null,
  nullable: false,
  description: 'True while the source may still change this point; a later load replaces it.',
}

/** Last, where a store of an older coinlake gets it: rows are appended in the order of the columns. */
const IS_MOVING: Column = {
  name: 'is_moving',
  type: 'boolean',
  unit: null,
  nullable: false,
  defaultsTo: false,
  description:
    'True of the last point of an answer, which tells the moment of the answer and no step: gone or another one after the next load, and left out of all views. True, too, of what `coinlake verify --repair` found damaged, until it is fetched again.',
}

const LINEAGE: readonly Column[] = [
  {
    name: 'fetched_at',
    type: 'timestamp',
    unit: 'UTC',
    nullable: false,
    description: 'When the page this row came from was answered (the Date header of the source).',
  },
  {
    name: 'slice_id',
    type: 'string',
    unit: null,
    nullable: false,
    description: 'The slice that brought this row; joins to _slices.',
  },
  {
    name: 'load_id',
    type: 'integer',
    unit: null,
    nullable: false,
    description: 'The load that wrote this row; joins to _loads.',
  },
]

/** Technical columns, grouped last in every table and filled by the store at load, never by a dataset. */
export function lineageColumns(table: TableSpec): readonly Column[] {
  return table.load === 'facts' ? [IS_PROVISIONAL, ...LINEAGE, IS_MOVING] : LINEAGE
}
