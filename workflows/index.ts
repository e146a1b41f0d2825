// The workflows of a process, by the names they are started with.
export { budget } from './budget.ts'
export { exportWarehouse } from './export-warehouse.ts'
export { syncWarehouse } from './sync-warehouse.ts'
