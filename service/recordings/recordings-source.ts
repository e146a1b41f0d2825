import { type OperationId, operations } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import { frozenClock } from '../../config/clock.ts'
import type { AnswerSource } from '../answer-source.ts'
import { changeLists } from '../faults/json-lists.ts'
import { readRecordings, type Recording } from './recording-files.ts'

/** A source of recorded bodies. */
export interface RecordingsSource extends AnswerSource {
  /** One text for each file that is never used: another comes first, or its operation is unknown. */
  warnings: readonly string[]
  /** Number of recordings that are used. */
  answeredCount: number
}

const CHARTS = ['coins/{id}', 'coins/{id}/contract/{contract_address}'] as const
/** Operations that stand in for one another: their bodies have the same shape. */
const STAND_INS: Partial<Record<OperationId, OperationId>> = Object.fromEntries(
  CHARTS.flatMap((of) => [
    [`${of}/market_chart`, `${of}/market_chart/range`],
    [`${of}/market_chart/range`, `${of}/market_chart`],
  ]),
)

/**
 * Answers with recorded bodies byte for byte, for any id and window. A listing has page 1, and the pages that
 * `recordings.json` names. The clock stands at the newest recording.
 *
 * @param path a folder of recordings, or one file.
 * @throws ConfigError RECORDINGS_NOT_FOUND, RECORDINGS_EMPTY or RECORDING_NOT_JSON
 */
export function createRecordingsSource(path: string): RecordingsSource {
  const { recordings, warnings } = readRecordings(path)
  const unused = unusedWarnings(recordings)
  return {
    warnings: [...unused, ...warnings],
    answeredCount: recordings.length - unused.length,
    clock: frozenClock(Math.max(...recordings.map(({ atMs }) => atMs))),
    answer: async (operation, params) => {
      const recording = recordingFor(recordings, operation, params)
      if (recording === undefined) {
        return operation === 'ping' ? { kind: 'json', body: { status: 'OK' } } : { kind: 'no_data' }
      }
      const { bytes, atMs } = recording
      // A page after the last has empty lists.
      const isUnrecorded =
        isLaterPage(operation, params) && recording.params['page'] !== params['page']
      const later = isUnrecorded ? changeLists(bytes, () => []) : null
      return { kind: 'bytes', bytes: later?.bytes ?? bytes, atMs }
    },
    close: async () => {},
  }
}

/** The recording whose parameters fit best; on a tie the first by name. */
function recordingFor(
  recordings: readonly Recording[],
  operation: OperationId,
  params: ParamValues,
): Recording | undefined {
  const own = recordings.filter((recording) => recording.operation === operation)
  const standIn = STAND_INS[operation]
  const candidates =
    own.length > 0 ? own : recordings.filter((recording) => recording.operation === standIn)
  return candidates.toSorted((a, b) => fit(b, params) - fit(a, params))[0]
}

/** The number of recorded parameters that the request has too; negative if it lacks one. */
function fit(recording: Recording, params: ParamValues): number {
  const wanted = Object.entries(recording.params)
  const met = wanted.filter(([name, value]) => params[name] === value).length
  return met === wanted.length ? met : met - wanted.length
}

function unusedWarnings(recordings: readonly Recording[]): string[] {
  const first = new Map<string, string>()
  return recordings.flatMap(({ file, operation, params }) => {
    const key = JSON.stringify([operation, params])
    const used = first.get(key)
    if (used === undefined) {
      first.set(key, file)
      return []
    }
    return [`${file} is not answered: ${used} comes first for ${operation}`]
  })
}

function isLaterPage(operation: OperationId, params: ParamValues): boolean {
  return operations[operation].paging !== undefined && Number(params['page'] ?? '1') > 1
}
