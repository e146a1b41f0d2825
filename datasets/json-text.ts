/**
 * JSON text that JSON.parse turns into the same value again, bit for bit: JSON.stringify would make
 * null of numbers beyond the doubles (1e400 in the source) and 0 of -0.
 */
export function jsonText(value: unknown): string {
  if (typeof value === 'number') return numberText(value)
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, v]) => `${JSON.stringify(key)}:${jsonText(v)}`)
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value)
  return value > 0 ? '1e999' : '-1e999'
}
