// Every workflow a worker must know, by the name it is started with.
export { budget } from './budget.ts'
export { exportLane } from './export-lane.ts'
export { exportWarehouse } from './export-warehouse.ts'
export { syncWarehouse } from './sync-warehouse.ts'
