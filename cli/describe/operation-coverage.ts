import type { Operation, OperationId } from '../../api/operations.ts'
import type { Param, ParamValues } from '../../api/operations/describe-operation.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import { alignColumns } from '../render/align-columns.ts'

/** An operation with its tables. The keys are a contract of `coinlake datasets --coverage --json`. */
export interface OperationCoverage {
  operation: OperationId
  /** The first dataset that exports the operation; null = none. */
  dataset: string | null
  tables: readonly string[]
  is_served: boolean
}

/** The operation that shows that a service is up. No table has its answer. */
const PING = 'ping'

export function operationCoverage(
  operations: readonly Operation[],
  datasets: readonly Dataset[],
): OperationCoverage[] {
  return operations.map((operation) => {
    const { id } = operation
    const own = datasets.filter((one) => one.operations.includes(id))
    const is_served = id === PING || datasets.some((one) => one.answers[id] !== undefined)
    const tables = own.flatMap((dataset) => tablesOf(operation, dataset))
    return { operation: id, dataset: own[0]?.name ?? null, tables, is_served }
  })
}

/** The tables of a dataset with the operation's answers; all its tables when `serve` cannot answer it. */
function tablesOf(operation: Operation, { tables, answers }: Dataset): string[] {
  const names = tables.map(({ name }) => name)
  const answer = answers[operation.id]
  if (answer === undefined) return names
  const read = requestsOf(operation).flatMap((params) =>
    answer.select(params, SOME_TIME_MS).map(({ table }) => table),
  )
  return names.filter((name) => read.includes(name))
}

/** Any time, because the tables do not depend on it. */
const SOME_TIME_MS = Date.UTC(2026, 0, 1)

/** The plain request of an operation, and one for each value of each optional parameter. */
function requestsOf({ params }: Operation): ParamValues[] {
  const valuesOf = ({ example, allowed, default: preset }: Param): readonly string[] =>
    allowed ?? [example ?? preset ?? '1']
  const needed = params.filter(({ required }) => required)
  const plain = Object.fromEntries(needed.map((param) => [param.name, valuesOf(param)[0]!]))
  const optional = params.filter(({ required }) => !required)
  const others = optional.flatMap((param) =>
    valuesOf(param).map((value) => ({ ...plain, [param.name]: value })),
  )
  return [plain, ...others]
}

export function coverageText(coverage: readonly OperationCoverage[]): string[] {
  const rows = coverage.map(({ operation, tables, is_served: isServed }) => [
    `GET /v2/${operation}`,
    isServed ? 'yes' : 'no',
    operation === PING ? '(nothing to keep)' : tables.join(', ') || 'not exported',
  ])
  const covered = coverage.filter(
    ({ operation, tables, is_served: isServed }) =>
      isServed && (operation === PING || tables.length > 0),
  )
  return [
    ...alignColumns(['operation', 'served', 'tables'], rows),
    '',
    `${covered.length} of ${coverage.length} operations exported and served`,
  ]
}
