/**
 * JSON text of a value for quarantine. Numbers beyond the doubles, which JSON.stringify would turn
 * into null, stay visible as Infinity.
 */
export function rawJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (Array.isArray(value)) return `[${value.map(rawJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, v]) => `${JSON.stringify(key)}:${rawJson(v)}`)
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value) ?? 'undefined'
}
