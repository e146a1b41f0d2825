import type { OperationId } from '../../api/operation.ts'

/** The parts of a recorded body's name. */
export interface RecordingName {
  operation: OperationId
  /** The part after the operation: an entity or a window, only a hint. */
  detail: string
}

/** Parts of a name before this belong to the recording, the rest says where it came from. */
const ORIGIN_MARK = '--'
/**
 * Reads the operation from a file name such as `coins-id-ohlc-7d-usd--origin.json`: the operation's
 * path with dashes and without `{contract_address}`, then perhaps more. The longest operation that fits
 * wins. Null for any other file.
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
