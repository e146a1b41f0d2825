import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'

/** A history as JSON: only what must be looked into here. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [key: string]: JsonValue }

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Fields that say where and by whom a step was done; replay does not read them. */
const PERSONAL = new Set(['identity', 'stackTrace', 'firstExecutionRunId', 'workerVersion'])

/** The history without traces of the machine it was recorded on. */
export function cleanHistory(value: JsonValue, key = ''): JsonValue {
  if (Array.isArray(value)) return value.map((item) => cleanHistory(item))
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, item]) =>
        PERSONAL.has(name) ? [] : [[name, cleanHistory(item, name)]],
      ),
    )
  }
  if (typeof value !== 'string') return value
  return key === 'data' ? cleanPayload(value) : cleanText(value)
}

/** Payloads are base64; one that names the machine is written anew. */
function cleanPayload(base64: string): string {
  const text = Buffer.from(base64, 'base64').toString('utf8')
  const clean = cleanText(text)
  return clean === text ? base64 : Buffer.from(clean).toString('base64')
}

function cleanText(text: string): string {
  return text.replaceAll(ROOT, '/coinlake/').replaceAll(hostname(), 'host')
}
