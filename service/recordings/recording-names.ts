import { type OperationId, operations } from '../../api/operations.ts'

/** Everything behind it, the origin of the recording, is ignored. */
const ORIGIN_MARK = '--'

export const OPERATION_IDS = Object.keys(operations) as OperationId[]

/**
 * Reads the operation from a file name such as `coins-id-ohlc-7d-usd--origin.json`; null for other files. The name
 * begins with the operation's path, with dashes and without `{contract_address}`. The longest match wins.
 */
export function recordedOperation(fileName: string): OperationId | null {
  if (!fileName.endsWith('.json')) return null
  const [stem = ''] = fileName.slice(0, -'.json'.length).split(ORIGIN_MARK, 1)
  const matching = OPERATION_IDS.filter((id) => `${stem}-`.startsWith(prefixOf(id)))
  return matching.toSorted((a, b) => prefixOf(b).length - prefixOf(a).length)[0] ?? null
}

function prefixOf(operation: OperationId): string {
  const path = operation.replaceAll('/{contract_address}', '').replaceAll(/[{}]/g, '')
  return `${path.replaceAll('/', '-')}-`
}
