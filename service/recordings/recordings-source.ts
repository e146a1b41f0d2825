import type { OperationId, ParamValues } from '../../api/operation.ts'
import { operations } from '../../api/operations.ts'
import { frozenClock } from '../../config/clock.ts'
import type { AnswerSource } from '../answer-source.ts'
import { readRecordings } from './recording-files.ts'
import type { Recording } from './recording-files.ts'

/** A source of recorded bodies, with what its user should know about them. */
export interface RecordingsSource extends AnswerSource {
  /** Files that are never answered, because another of their operation comes first. */
  warnings: readonly string[]
  recordings: readonly Recording[]
}

const CHARTS = ['coins/{id}', 'coins/{id}/contract/{contract_address}'] as const
/** Their bodies have the same shape: one stands in where only the other was recorded. */
const STAND_INS: Partial<Record<OperationId, OperationId>> = Object.fromEntries(
  CHARTS.flatMap((of) => [
    [`${of}/market_chart`, `${of}/market_chart/range`],
    [`${of}/market_chart/range`, `${of}/market_chart`],
  ]),
)

/**
 * Answers recorded bodies byte for byte, whatever id or window is asked; every answer is dated with
 * the time of its recording. From page 2 on a listing is over. The clock stands at the newest.
 *
 * @param path a folder of recordings, or one file.
 * @throws ConfigError RECORDINGS_NOT_FOUND, RECORDINGS_EMPTY or RECORDING_NOT_JSON
 */
export function createRecordingsSource(path: string): RecordingsSource {
  const recordings = readRecordings(path)
  return {
    recordings,
    warnings: unusedWarnings(recordings),
    clock: frozenClock(Math.max(...recordings.map(({ atMs }) => atMs))),
    answer: async (operation, params) => {
      const recording = recordingFor(recordings, operation, params)
      if (recording === undefined) {
        return operation === 'ping'
          ? { kind: 'json', body: { status: 'OK' } }
          : { kind: 'not_found' }
      }
      const { bytes, atMs } = recording
      if (isBeyond(operation, params)) return { kind: 'bytes', bytes: emptyPage(bytes), atMs }
      return { kind: 'bytes', bytes, atMs }
    },
    close: async () => {},
  }
}

/** The one whose recorded parameters fit best; among equals the first by name. */
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

/** How many recorded parameters the request has too, less those it has not. */
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

function isBeyond(operation: OperationId, params: ParamValues): boolean {
  return operations[operation].paging.kind === 'pages' && Number(params['page'] ?? '1') > 1
}

/** The body with every list in it emptied: what follows the last page. */
function emptyPage(bytes: Uint8Array): Uint8Array {
  const body = JSON.parse(Buffer.from(bytes).toString()) as unknown
  const emptied = Array.isArray(body)
    ? []
    : Object.fromEntries(
        Object.entries(body as object).map(([key, value]) => [
          key,
          Array.isArray(value) ? [] : value,
        ]),
      )
  return Buffer.from(JSON.stringify(emptied))
}
