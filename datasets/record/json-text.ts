/** Deeper than any answer of a market-data service. */
export const MAX_DEPTH = 200
const TOO_DEEP = JSON.stringify('nested too deeply to be kept: see the raw body')

/**
 * JSON text that JSON.parse turns into the same value, bit for bit. JSON.stringify would write null for 1e400 and 0 for
 * -0. TOO_DEEP replaces values below MAX_DEPTH.
 */
export function jsonText(value: unknown): string {
  return textAt(value, 0)
}

function textAt(value: unknown, depth: number): string {
  if (typeof value === 'number') return numberText(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (depth >= MAX_DEPTH) return TOO_DEEP
  // A list of pieces, joined at the end, takes twice as long.
  let inside = ''
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      inside += i === 0 ? textAt(value[i], depth + 1) : `,${textAt(value[i], depth + 1)}`
    }
    return `[${inside}]`
  }
  for (const key of Object.keys(value)) {
    const member = (value as Readonly<Record<string, unknown>>)[key]
    inside += `${inside === '' ? '' : ','}${JSON.stringify(key)}:${textAt(member, depth + 1)}`
  }
  return `{${inside}}`
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value)
  return value > 0 ? '1e999' : '-1e999'
}
