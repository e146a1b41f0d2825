import type { DescribedOperation } from './operations/describe-operation.ts'
import { CATEGORY_OPERATIONS } from './operations/categories.ts'
import { COIN_OPERATIONS } from './operations/coins.ts'
import { TOKEN_OPERATIONS } from './operations/contract.ts'
import { DERIVATIVE_OPERATIONS } from './operations/derivatives.ts'
import { EXCHANGE_OPERATIONS } from './operations/exchanges.ts'
import { GLOBAL_OPERATIONS } from './operations/global.ts'
import { SEARCH_OPERATIONS } from './operations/search.ts'
import { SIMPLE_OPERATIONS } from './operations/simple.ts'

/** In the interface's order. */
const ALL = [
  ...SIMPLE_OPERATIONS,
  ...COIN_OPERATIONS,
  ...TOKEN_OPERATIONS,
  ...CATEGORY_OPERATIONS,
  ...EXCHANGE_OPERATIONS,
  ...DERIVATIVE_OPERATIONS,
  ...SEARCH_OPERATIONS,
  ...GLOBAL_OPERATIONS,
] as const

export type OperationId = (typeof ALL)[number]['id']
export type Operation = DescribedOperation<OperationId>

/** Every operation of the `/v2` interface by id, in the interface's order. */
export const operations = Object.fromEntries(ALL.map((one) => [one.id, one])) as Readonly<
  Record<OperationId, Operation>
>
