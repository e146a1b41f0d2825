import { keyUses } from '../../config/settings/order-settings.ts'
import type { Dataset, TableSpec } from '../../datasets/dataset.ts'
import { duckdbType, storedColumns } from '../../datasets/table/ddl.ts'

/** A dataset for programs. The keys are a contract of `coinlake datasets --json`. */
export function datasetJson(dataset: Dataset): unknown {
  return {
    name: dataset.name,
    description: dataset.description,
    kind: dataset.kind,
    operations: dataset.operations,
    granularities: dataset.granularities,
    config_keys: keyUses(dataset),
    tables: dataset.tables.map(tableJson),
    left_out: dataset.leftOut,
  }
}

function tableJson(table: TableSpec): unknown {
  return {
    name: table.name,
    description: table.description,
    key: table.key,
    sort: table.sort,
    load: table.load,
    month_by: table.monthBy,
    columns: storedColumns(table).map((column, index) => ({
      name: column.name,
      type: duckdbType(column.type),
      unit: column.unit,
      description: column.description,
      nullable: column.nullable !== false,
      is_lineage: index >= table.columns.length,
    })),
  }
}
