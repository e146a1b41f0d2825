import type { OperationId } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'

/** The subject of a chart: a coin, or a token by its contract. */
export interface ChartSubject {
  /** The operation by `days` back from now, and the one with two bounds. */
  operations: { days: OperationId; range: OperationId }
  paramsOfEntity(entity: string): ParamValues
  columnsOfParams(params: ParamValues): Readonly<Record<string, string>>
  /** The table that has the subject if the source knows it, even without a chart. */
  listedIn: string
}

export const COIN_CHART: ChartSubject = {
  operations: { days: 'coins/{id}/market_chart', range: 'coins/{id}/market_chart/range' },
  paramsOfEntity: (entity) => ({ id: entity }),
  columnsOfParams: (params) => ({ coin_id: params['id'] ?? '' }),
  listedIn: 'coins',
}
