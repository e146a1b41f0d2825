import { keyUses } from '../../config/settings/order-settings.ts'
import type { Dataset, TableSpec } from '../../datasets/dataset.ts'
import { duckdbType, storedColumns } from '../../datasets/table/ddl.ts'

/** A dataset for programs. The keys are a contract of `coinlake datasets --json`. */
export function datasetJson(dataset: Dataset): unknown {
  const { name, description, kind, operations, granularities, leftOut: left_out } = dataset
  const config_keys = keyUses(dataset)
  const tables = dataset.tables.map(tableJson)
  return { name, description, kind, operations, granularities, config_keys, tables, left_out }
}

function tableJson(table: TableSpec): unknown {
  const { name, description, key, sort, load, monthBy: month_by } = table
  const columns = storedColumns(table).map((column, index) => ({
    name: column.name,
    type: duckdbType(column.type),
    unit: column.unit,
    description: column.description,
    nullable: column.nullable !== false,
    is_lineage: index >= table.columns.length,
  }))
  return { name, description, key, sort, load, month_by, columns }
}
