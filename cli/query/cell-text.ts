import {
  DuckDBArrayValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTypeId,
  type DuckDBListType,
  type DuckDBMapType,
  type DuckDBStructType,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import type { FormatInstant } from './instant-text.ts'

const ZONELESS: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_S,
  DuckDBTypeId.TIMESTAMP_MS,
  DuckDBTypeId.TIMESTAMP_NS,
])

/** A double keeps all decimals of this many significant digits. */
const DOUBLE_DIGITS = 15

/** The plain text of a value, for CSV and terminals: numbers with all digits, instants as ISO 8601, lists as JSON. */
export function cellText(value: DuckDBValue, type: DuckDBType, instant: FormatInstant): string {
  if (value instanceof DuckDBTimestampTZValue) return instant(value.micros)
  if (ZONELESS.has(type.typeId)) return String(value).replace(' ', 'T')
  if (typeof value === 'number') return numberText(value)
  return nestedJson(value, type, instant) ?? String(value)
}

/**
 * The JSON of a value. Whole numbers and decimals are strings when a double would lose digits, else numbers. Instants
 * are ISO strings, NaN and infinities strings, lists and structs arrays and objects.
 */
export function cellJson(value: DuckDBValue, type: DuckDBType, instant: FormatInstant): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') {
    return Number.isFinite(value) ? numberText(value) : `"${String(value)}"`
  }
  if (typeof value === 'bigint') {
    return Number.isSafeInteger(Number(value)) ? String(value) : `"${String(value)}"`
  }
  // The JSON type is text that is JSON already.
  if (typeof value === 'string') return type.alias === 'JSON' ? value : JSON.stringify(value)
  if (value instanceof DuckDBTimestampTZValue) return JSON.stringify(instant(value.micros))
  if (value instanceof DuckDBDecimalValue) return decimalJson(String(value))
  return nestedJson(value, type, instant) ?? JSON.stringify(cellText(value, type, instant))
}

/** The JSON of a list, array, struct or map; null for other values. A map is an array of {key, value}. */
function nestedJson(value: DuckDBValue, type: DuckDBType, instant: FormatInstant): string | null {
  const json = (inner: DuckDBValue = null, innerType: DuckDBType = type): string =>
    cellJson(inner, innerType, instant)
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) {
    const { valueType } = type as DuckDBListType
    return `[${value.items.map((item) => json(item, valueType)).join(',')}]`
  }
  if (value instanceof DuckDBStructValue) {
    const { entryNames, entryTypes } = type as DuckDBStructType
    const fields = entryNames.map(
      (name, at) => `${JSON.stringify(name)}:${json(value.entries[name], entryTypes[at])}`,
    )
    return `{${fields.join(',')}}`
  }
  if (value instanceof DuckDBMapValue) {
    const { keyType, valueType } = type as DuckDBMapType
    const pairs = value.entries.map(
      (one) => `{"key":${json(one.key, keyType)},"value":${json(one.value, valueType)}}`,
    )
    return `[${pairs.join(',')}]`
  }
  return null
}

/** JavaScript writes -0 as 0. DuckDB, and readers of CSV and JSON, keep its sign. */
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}

function decimalJson(text: string): string {
  const digits = text.replace(/[-.]/g, '').replace(/^0+/, '')
  const isExact = digits.length <= DOUBLE_DIGITS && /^-?\d+(\.\d+)?$/.test(text)
  return isExact ? text : `"${text}"`
}
