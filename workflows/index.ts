// The workflows of a run, by the names they are started with. Budgets have a bundle of their own (budget.ts).
export { exportWarehouse } from './export-warehouse.ts'
export { syncWarehouse } from './sync-warehouse.ts'
