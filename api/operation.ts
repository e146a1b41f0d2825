// One operation, as the client, the datasets and the service know it.
export type { Operation, OperationId } from './operations.ts'
export { MAX_ITEMS, MAX_VALUE_CHARS } from './operations/describe-operation.ts'
export type { Param, ParamValues } from './operations/describe-operation.ts'
