// The names by which a process starts its workflows.
export { budget } from './budget.ts'
export { exportWarehouse } from './export-warehouse.ts'
export { syncWarehouse } from './sync-warehouse.ts'
