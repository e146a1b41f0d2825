import {
  Binary,
  Bool,
  type Data,
  type DataType,
  DateDay,
  Decimal,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  makeData,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
} from 'apache-arrow'
import {
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalType,
  DuckDBDecimalValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTypeId,
} from '@duckdb/node-api'
import type { DuckDBType, DuckDBValue } from '@duckdb/node-api'
import { cellTextOf } from './cell-text.ts'
import type { InstantText } from './instant-text.ts'
import { QueryError } from './query-error.ts'

/** A result column as Arrow: its type, and how values become an array of it. */
export interface ArrowColumn {
  type: DataType
  build(values: readonly DuckDBValue[]): Data
}

/** HUGEINT (what sum() of whole numbers gives) goes as a decimal of the most digits Arrow has in 128 bits. */
const HUGEINT_DIGITS = 38
const BYTES_PER_DECIMAL = 16

/**
 * The Arrow column that holds a DuckDB type without loss. Instants carry the zone of the session;
 * whatever Arrow has no plain type for (lists, structs, intervals, UUIDs) goes as text.
 */
export function arrowColumn(type: DuckDBType, instant: InstantText, zone: string): ArrowColumn {
  const numeric = NUMERIC[type.typeId]
  if (numeric !== undefined) return numericColumn(numeric, zone)
  if (type instanceof DuckDBDecimalType) return decimalColumn(type.width, type.scale)
  switch (type.typeId) {
    case DuckDBTypeId.BOOLEAN:
      return booleanColumn()
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UHUGEINT:
      return decimalColumn(HUGEINT_DIGITS, 0)
    case DuckDBTypeId.BLOB:
      return bytesColumn(new Binary(), (value) =>
        value instanceof DuckDBBlobValue ? value.bytes : Buffer.from(String(value)),
      )
    default: {
      const text = cellTextOf(type, instant)
      return bytesColumn(new Utf8(), (value) => Buffer.from(text(value)))
    }
  }
}

type Numbers =
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Float32Array
  | Float64Array
type BigInts = BigInt64Array | BigUint64Array

type Numeric =
  | {
      type: (zone: string) => DataType
      array: new (n: number) => Numbers
      read: (value: DuckDBValue) => number
    }
  | {
      type: (zone: string) => DataType
      bigArray: new (n: number) => BigInts
      read: (value: DuckDBValue) => bigint
    }

const plain = (type: new () => DataType, array: new (n: number) => Numbers): Numeric => ({
  type: () => new type(),
  array,
  read: Number,
})

const big = (
  type: (zone: string) => DataType,
  read: (value: DuckDBValue) => bigint,
  bigArray: new (n: number) => BigInts = BigInt64Array,
): Numeric => ({ type, bigArray, read })

const asBigInt = (value: DuckDBValue): bigint => (typeof value === 'bigint' ? value : 0n)

const NUMERIC: Partial<Record<DuckDBTypeId, Numeric>> = {
  [DuckDBTypeId.TINYINT]: plain(Int8, Int8Array),
  [DuckDBTypeId.SMALLINT]: plain(Int16, Int16Array),
  [DuckDBTypeId.INTEGER]: plain(Int32, Int32Array),
  [DuckDBTypeId.UTINYINT]: plain(Uint8, Uint8Array),
  [DuckDBTypeId.USMALLINT]: plain(Uint16, Uint16Array),
  [DuckDBTypeId.UINTEGER]: plain(Uint32, Uint32Array),
  [DuckDBTypeId.FLOAT]: plain(Float32, Float32Array),
  [DuckDBTypeId.DOUBLE]: plain(Float64, Float64Array),
  [DuckDBTypeId.DATE]: {
    type: () => new DateDay(),
    array: Int32Array,
    read: (value) => (value instanceof DuckDBDateValue ? value.days : 0),
  },
  [DuckDBTypeId.BIGINT]: big(() => new Int64(), asBigInt),
  [DuckDBTypeId.UBIGINT]: big(() => new Uint64(), asBigInt, BigUint64Array),
  [DuckDBTypeId.TIMESTAMP_TZ]: big(
    (zone) => new TimestampMicrosecond(zone),
    (value) => (value instanceof DuckDBTimestampTZValue ? value.micros : 0n),
  ),
  [DuckDBTypeId.TIMESTAMP]: big(
    () => new TimestampMicrosecond(),
    (value) => (value instanceof DuckDBTimestampValue ? value.micros : 0n),
  ),
  [DuckDBTypeId.TIMESTAMP_S]: big(
    () => new TimestampSecond(),
    (value) => (value instanceof DuckDBTimestampSecondsValue ? value.seconds : 0n),
  ),
  [DuckDBTypeId.TIMESTAMP_MS]: big(
    () => new TimestampMillisecond(),
    (value) => (value instanceof DuckDBTimestampMillisecondsValue ? value.millis : 0n),
  ),
  [DuckDBTypeId.TIMESTAMP_NS]: big(
    () => new TimestampNanosecond(),
    (value) => (value instanceof DuckDBTimestampNanosecondsValue ? value.nanos : 0n),
  ),
}

function numericColumn(numeric: Numeric, zone: string): ArrowColumn {
  const type = numeric.type(zone)
  return {
    type,
    build(values) {
      const length = values.length
      const shape = { length, ...nullsOf(values) }
      // One type of numbers stands for all: makeData looks at the type itself, only its typing cares.
      if ('array' in numeric) {
        const data = new numeric.array(length)
        values.forEach((value, row) => (data[row] = value === null ? 0 : numeric.read(value)))
        return makeData({ ...shape, type: type as Float64, data: data as Float64Array })
      }
      const data = new numeric.bigArray(length)
      values.forEach((value, row) => (data[row] = value === null ? 0n : numeric.read(value)))
      return makeData({ ...shape, type: type as Int64, data: data as BigInt64Array })
    },
  }
}

function booleanColumn(): ArrowColumn {
  const type = new Bool()
  return {
    type,
    build: (values) =>
      makeData({
        type,
        data: bitsOf(values, (value) => value === true),
        length: values.length,
        ...nullsOf(values),
      }),
  }
}

function decimalColumn(precision: number, scale: number): ArrowColumn {
  const type = new Decimal(scale, precision)
  const limit = 10n ** BigInt(precision)
  return {
    type,
    build(values) {
      const bytes = new DataView(new ArrayBuffer(values.length * BYTES_PER_DECIMAL))
      values.forEach((value, row) => {
        const unscaled = value instanceof DuckDBDecimalValue ? value.value : asBigInt(value)
        if (unscaled >= limit || unscaled <= -limit) throw tooLarge(unscaled)
        bytes.setBigInt64(row * BYTES_PER_DECIMAL, BigInt.asIntN(64, unscaled), true)
        bytes.setBigInt64(row * BYTES_PER_DECIMAL + 8, unscaled >> 64n, true)
      })
      const data = new Uint32Array(bytes.buffer)
      return makeData({ type, data, length: values.length, ...nullsOf(values) })
    },
  }
}

function bytesColumn(
  type: Utf8 | Binary,
  bytesOf: (value: DuckDBValue) => Uint8Array,
): ArrowColumn {
  return {
    type,
    build(values) {
      const parts = values.map((value) => (value === null ? new Uint8Array() : bytesOf(value)))
      const valueOffsets = new Int32Array(values.length + 1)
      parts.forEach((part, row) => {
        valueOffsets[row + 1] = (valueOffsets[row] ?? 0) + part.byteLength
      })
      const data = new Uint8Array(Buffer.concat(parts))
      const shape = { valueOffsets, length: values.length, ...nullsOf(values) }
      return makeData({ ...shape, type: type as Utf8, data })
    },
  }
}

function nullsOf(values: readonly DuckDBValue[]): { nullCount: number; nullBitmap?: Uint8Array } {
  const nullCount = values.reduce<number>((sum, value) => (value === null ? sum + 1 : sum), 0)
  if (nullCount === 0) return { nullCount }
  return { nullCount, nullBitmap: bitsOf(values, (value) => value !== null) }
}

/** One bit a value, lowest first, as Arrow packs them. */
function bitsOf(
  values: readonly DuckDBValue[],
  isSet: (value: DuckDBValue) => boolean,
): Uint8Array {
  const bits = new Uint8Array(Math.ceil(values.length / 8))
  values.forEach((value, row) => {
    if (isSet(value)) bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7))
  })
  return bits
}

function tooLarge(value: bigint): QueryError {
  return new QueryError(`${value} has more than ${HUGEINT_DIGITS} digits: Arrow cannot hold it`, {
    code: 'ARROW_RANGE',
    hint: 'Cast the column to DOUBLE or VARCHAR.',
  })
}
