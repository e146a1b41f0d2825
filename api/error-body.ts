import { isRecord } from '../config/values/is-record.ts'

export interface ErrorBody {
  /** The service's message, shortened to one line; '': none. */
  message: string
  /** The service's code (10012, 429, 1015); null: none. */
  bodyCode: number | null
  /** Whether the body says "too many requests". The status may say something else. */
  isThrottle: boolean
  isJson: boolean
}

/** Error bodies are read up to here. The largest pages of gateways take some kilobytes. */
export const ERROR_BODY_BYTES = 64 * 1024

const MAX_MESSAGE_CHARS = 300

/** Body codes for "too many requests": the service's, and the network edge's. */
const THROTTLE_CODES: ReadonlySet<number | null> = new Set([429, 1015])

/**
 * Reads an error body. Known forms:
 * - a flat string
 * - a status object, also inside another
 * - codes beside the status object
 * - a plain 5xx with a number in `status`
 * - text or HTML of a proxy or the network edge
 */
export function readErrorBody(text: string): ErrorBody {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return fromText(text)
  }
  return errorInJson(json) ?? { message: '', bodyCode: null, isThrottle: false, isJson: true }
}

/** The error in a parsed body; null: none. Good answers are read too: the service sends some refusals with 200. */
export function errorInJson(json: unknown): ErrorBody | null {
  if (typeof json === 'string') return fromText(json, true)
  if (!isRecord(json)) return null
  const error = json['error']
  const outer = isRecord(json['status']) ? json['status'] : null
  const inner = isRecord(error) ? error : null
  const innerStatus = inner !== null && isRecord(inner['status']) ? inner['status'] : null
  const places = [innerStatus, inner, outer, json].filter((place) => place !== null)

  const message =
    firstOf(places, (place) => textOf(place['error_message']) ?? textOf(place['message'])) ??
    textOf(error)
  const bodyCode = firstOf(places, (place) => codeOf(place['error_code']) ?? codeOf(place['code']))
  if (message === null && bodyCode === null && error === undefined) return null
  return {
    message: oneLine(message ?? ''),
    bodyCode,
    isThrottle: THROTTLE_CODES.has(bodyCode),
    isJson: true,
  }
}

/**
 * The error in a text. The patterns are linear (test/safety/linear-patterns.test.ts): `[^<>]` stops at each `<`, where
 * the next match could start.
 */
function fromText(whole: string, isJson = false): ErrorBody {
  const text = whole.slice(0, ERROR_BODY_BYTES)
  const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(text)?.[1]
  const isHtml = title !== undefined || /^\s*<(!doctype|html)/i.test(text)
  const edgeCode = /\berror(?: code)?:?\s*(?:<[^<>]*>\s*)*(10\d\d)\b/i.exec(text)?.[1]
  const bodyCode = edgeCode === undefined ? null : Number(edgeCode)
  const saysThrottled = !isHtml && /^\W*(throttled|too many requests|rate limit)/i.test(text)
  return {
    message: oneLine(isHtml ? `HTML page ${JSON.stringify((title ?? '').trim())}` : text),
    bodyCode,
    isThrottle: saysThrottled || THROTTLE_CODES.has(bodyCode),
    isJson,
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function codeOf(value: unknown): number | null {
  const code = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof code === 'number' && Number.isInteger(code) ? code : null
}

function firstOf<T>(
  places: readonly Record<string, unknown>[],
  read: (place: Record<string, unknown>) => T | null,
): T | null {
  return places.map(read).find((value) => value !== null) ?? null
}

function oneLine(text: string): string {
  const line = text.slice(0, ERROR_BODY_BYTES).replaceAll(/\s+/g, ' ').trim()
  return line.length <= MAX_MESSAGE_CHARS ? line : `${line.slice(0, MAX_MESSAGE_CHARS)}...`
}
