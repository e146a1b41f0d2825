import type { OperationId } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import type { RowSelection } from '../dataset.ts'

/** The subject of a chart: a coin, or a token by its contract. */
export interface ChartSubject {
  /** The operation that reaches `days` back from now, and the one with two bounds. */
  operations: { days: OperationId; range: OperationId }
  /** The columns that name the subject, from a slice's entity. */
  columns(entity: string): Readonly<Record<string, string>>
  /** The parameters that name the subject, from a slice's entity. */
  params(entity: string): ParamValues
  /** The columns that name the subject, from the parameters of a request. */
  equals(params: ParamValues): Readonly<Record<string, string>>
  /** Selects a row if the source knows the subject, even without a chart. */
  listing(params: ParamValues): RowSelection
}

/** A coin by its id. */
export const COIN_CHART: ChartSubject = {
  operations: { days: 'coins/{id}/market_chart', range: 'coins/{id}/market_chart/range' },
  columns: (entity) => ({ coin_id: entity }),
  params: (entity) => ({ id: entity }),
  equals: (params) => ({ coin_id: params['id'] ?? '' }),
  listing: (params) => ({
    table: 'coins',
    equals: { coin_id: params['id'] ?? '' },
    orderBy: [],
    limit: 1,
  }),
}
