import {
  DuckDBArrayType,
  DuckDBArrayValue,
  DuckDBListType,
  DuckDBListValue,
  DuckDBMapType,
  DuckDBMapValue,
  DuckDBStructType,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTypeId,
} from '@duckdb/node-api'
import type { DuckDBType, DuckDBValue } from '@duckdb/node-api'
import type { WriteInstant } from './instant-text.ts'

export type WriteJson = (value: DuckDBValue) => string

const PLAIN_LITERALS: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.BOOLEAN,
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
])

const BIG_INTEGERS: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
])

/** A double keeps every decimal with this many significant digits. */
const DOUBLE_DIGITS = 15

/**
 * The JSON of a column's values. Whole numbers and decimals are strings when a double would lose digits, else numbers.
 * Instants are ISO strings, NaN and infinities strings, lists and structs arrays and objects.
 */
export function jsonWriter(type: DuckDBType, instant: WriteInstant): WriteJson {
  const write = jsonOfPresent(type, instant)
  return (value) => (value === null ? 'null' : write(value))
}

function jsonOfPresent(type: DuckDBType, instant: WriteInstant): WriteJson {
  const { typeId } = type
  if (PLAIN_LITERALS.has(typeId)) return String
  if (BIG_INTEGERS.has(typeId)) {
    return (value) => (Number.isSafeInteger(Number(value)) ? String(value) : `"${String(value)}"`)
  }
  if (typeId === DuckDBTypeId.DOUBLE || typeId === DuckDBTypeId.FLOAT) {
    return (value) => (Number.isFinite(value) ? JSON.stringify(value) : `"${String(value)}"`)
  }
  if (typeId === DuckDBTypeId.DECIMAL) return (value) => decimalJson(String(value))
  if (typeId === DuckDBTypeId.TIMESTAMP_TZ) {
    return (value) =>
      value instanceof DuckDBTimestampTZValue ? `"${instant(value.micros)}"` : quoted(value)
  }
  if (isZonelessTimestamp(typeId)) return (value) => `"${String(value).replace(' ', 'T')}"`
  // The JSON type is text that is JSON already.
  if (typeId === DuckDBTypeId.VARCHAR && type.alias === 'JSON') return String
  return nestedJson(type, instant) ?? quoted
}

/** Whether a type is a TIMESTAMP without a zone, of any unit. */
export function isZonelessTimestamp(typeId: DuckDBTypeId): boolean {
  return (
    typeId === DuckDBTypeId.TIMESTAMP ||
    typeId === DuckDBTypeId.TIMESTAMP_S ||
    typeId === DuckDBTypeId.TIMESTAMP_MS ||
    typeId === DuckDBTypeId.TIMESTAMP_NS
  )
}

/** The JSON of lists, arrays, structs and maps; null for other types. A map is an array of {key, value}. */
export function nestedJson(type: DuckDBType, instant: WriteInstant): WriteJson | null {
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) {
    const item = jsonWriter(type.valueType, instant)
    return (value) =>
      value instanceof DuckDBListValue || value instanceof DuckDBArrayValue
        ? `[${value.items.map(item).join(',')}]`
        : quoted(value)
  }
  if (type instanceof DuckDBStructType) {
    const entries = type.entryNames.map((name, index) => {
      const entryType = type.entryTypes[index]
      const write = entryType === undefined ? quoted : jsonWriter(entryType, instant)
      return { name, write }
    })
    return (value) =>
      value instanceof DuckDBStructValue
        ? `{${entries.map(({ name, write }) => `${JSON.stringify(name)}:${write(value.entries[name] ?? null)}`).join(',')}}`
        : quoted(value)
  }
  if (type instanceof DuckDBMapType) {
    const key = jsonWriter(type.keyType, instant)
    const item = jsonWriter(type.valueType, instant)
    return (value) =>
      value instanceof DuckDBMapValue
        ? `[${value.entries.map((one) => `{"key":${key(one.key)},"value":${item(one.value)}}`).join(',')}]`
        : quoted(value)
  }
  return null
}

function decimalJson(text: string): string {
  const digits = text.replace(/[-.]/g, '').replace(/^0+/, '')
  const isExact = digits.length <= DOUBLE_DIGITS && /^-?\d+(\.\d+)?$/.test(text)
  return isExact ? text : `"${text}"`
}

function quoted(value: DuckDBValue): string {
  return JSON.stringify(String(value))
}

/** The text of one value that is not NULL. */
export type WriteCell = (value: DuckDBValue) => string

/** The plain text of a column's values, for CSV and terminals: numbers with all digits, instants as ISO 8601, lists as JSON. */
export function cellWriter(type: DuckDBType, instant: WriteInstant): WriteCell {
  if (type.typeId === DuckDBTypeId.TIMESTAMP_TZ) {
    return (value) =>
      value instanceof DuckDBTimestampTZValue ? instant(value.micros) : String(value)
  }
  if (isZonelessTimestamp(type.typeId)) return (value) => String(value).replace(' ', 'T')
  return nestedJson(type, instant) ?? String
}
