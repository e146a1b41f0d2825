// Every workflow a worker must know, by the name it is started with.
export { exportLane } from './export-lane.ts'
export { exportWarehouse } from './export-warehouse.ts'
