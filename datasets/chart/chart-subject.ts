import type { OperationId, ParamValues } from '../../api/operation.ts'
import type { RowSelection } from '../dataset.ts'

/** The subject of a chart: a coin, or a token by its contract. */
export interface ChartSubject {
  /** `days` reaches back from now, `range` has two bounds. */
  operations: { days: OperationId; range: OperationId }
  /** Columns of the table that name it, by a slice's entity. */
  columns(entity: string): Readonly<Record<string, string>>
  /** Parameters of the operations that name it, by a slice's entity. */
  params(entity: string): ParamValues
  /** The columns of the table that name it, by the parameters of a request. */
  equals(params: ParamValues): Readonly<Record<string, string>>
  /** Finds a row when the source knows it, though it may have no chart. */
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
