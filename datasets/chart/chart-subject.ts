import type { OperationId } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import type { RowSelection } from '../dataset.ts'

/** The subject of a chart: a coin, or a token by its contract. */
export interface ChartSubject {
  /** The operation by `days` back from now, and the one with two bounds. */
  operations: { days: OperationId; range: OperationId }
  columnsOfEntity(entity: string): Readonly<Record<string, string>>
  paramsOfEntity(entity: string): ParamValues
  columnsOfParams(params: ParamValues): Readonly<Record<string, string>>
  /** Selects a row that exists only if the source knows the subject, even when the subject has no chart. */
  knownRow(params: ParamValues): RowSelection
}

export const COIN_CHART: ChartSubject = {
  operations: { days: 'coins/{id}/market_chart', range: 'coins/{id}/market_chart/range' },
  columnsOfEntity: (entity) => ({ coin_id: entity }),
  paramsOfEntity: (entity) => ({ id: entity }),
  columnsOfParams: (params) => ({ coin_id: params['id'] ?? '' }),
  knownRow: (params) => ({
    table: 'coins',
    equals: { coin_id: params['id'] ?? '' },
    orderBy: [],
    limit: 1,
  }),
}
