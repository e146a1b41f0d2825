// The workflows of a process, exported under the names that start them.
export { budget } from './budget.ts'
export { exportWarehouse } from './export-warehouse.ts'
export { syncWarehouse } from './sync-warehouse.ts'
