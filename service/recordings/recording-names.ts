import type { OperationId } from '../../api/operations.ts'

/** The parts of a recording's file name. */
export interface RecordingName {
  operation: OperationId
  /** The rest of the name, such as an entity or a window. */
  detail: string
}

/** Everything behind it, the origin of the recording, is ignored. */
const ORIGIN_MARK = '--'
/**
 * Reads the operation from a file name such as `coins-id-ohlc-7d-usd--origin.json`; null for other files. The name
 * begins with the operation's path, with dashes and without `{contract_address}`. The longest match wins.
 */
export function recordingName(
  fileName: string,
  operations: readonly OperationId[],
): RecordingName | null {
  if (!fileName.endsWith('.json')) return null
  const [stem = ''] = fileName.slice(0, -'.json'.length).split(ORIGIN_MARK, 1)
  let found: RecordingName | null = null
  for (const operation of operations) {
    const prefix = operation
      .replaceAll('/{contract_address}', '')
      .replaceAll('/', '-')
      .replaceAll(/[{}]/g, '')
    if (stem !== prefix && !stem.startsWith(`${prefix}-`)) continue
    const detail = stem.slice(prefix.length + 1)
    if (found === null || detail.length < found.detail.length) found = { operation, detail }
  }
  return found
}
