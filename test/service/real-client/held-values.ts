import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { expect } from 'vitest'

/** A row as DuckDB's own client gives it: timestamps are Date, whole numbers bigint. */
export type HeldRow = Readonly<Record<string, unknown>>

/** Where a JSON field stands in a row, when it is not called like its path with `_` for `.`. */
export type Names = Readonly<Record<string, string>>

/** Reads the warehouse by SQL written here, and counts what was compared with it. */
export interface Held {
  rows(sql: string, ...values: DuckDBValue[]): Promise<HeldRow[]>
  row(sql: string, ...values: DuckDBValue[]): Promise<HeldRow>
  /** Every field of an object is in the row, and with the same value. */
  same(json: unknown, row: HeldRow, names?: Names): void
  /** The same for a list: as many, in the same order. */
  sameRows(json: unknown, rows: readonly HeldRow[], names?: Names): void
  equal(found: unknown, expected: unknown): void
  compared(): number
}

/** Below this a number is epoch seconds, above it milliseconds: the year 5138 in seconds. */
const MAX_EPOCH_S = 1e11

export function held(connection: DuckDBConnection): Held {
  let count = 0

  const rows: Held['rows'] = async (sql, ...values) => {
    const reader = await connection.runAndReadAll(sql, values)
    return reader.getRowObjectsJS()
  }

  function compareFields(json: object, row: HeldRow, names: Names, path: string): void {
    for (const [key, value] of Object.entries(json)) {
      const at = path === '' ? key : `${path}.${key}`
      const column = names[at] ?? at.replaceAll('.', '_')
      if (column === '') continue
      if (names[at] === undefined && isObject(value)) {
        compareFields(value, row, names, at)
        continue
      }
      const parts = Object.keys(row).filter((name) => name.startsWith(`${column}_`))
      if (value === null && !(column in row) && parts.length > 0) {
        // An object that is null as a whole: each of its columns is.
        for (const part of parts) compareValue(null, row[part], at)
        continue
      }
      expect(Object.keys(row), `${at} is a column`).toContain(column)
      compareValue(value, row[column], at)
    }
  }

  function compareValue(value: unknown, heldValue: unknown, at: string): void {
    count++
    if (heldValue instanceof Date) {
      expect(epochMs(value), at).toBe(heldValue.getTime())
    } else if (typeof heldValue === 'bigint') {
      expect(value, at).toBe(Number(heldValue))
    } else if (typeof value === 'object' && value !== null) {
      expect(value, at).toEqual(JSON.parse(heldValue as string))
    } else {
      expect(value, at).toBe(heldValue)
    }
  }

  const same: Held['same'] = (json, row, names = {}) => {
    expect(json).toBeTypeOf('object')
    compareFields(json as object, row, names, '')
  }

  return {
    rows,
    row: async (sql, ...values) => {
      const found = await rows(sql, ...values)
      expect(found, sql).toHaveLength(1)
      return found[0]!
    },
    same,
    sameRows: (json, heldRows, names) => {
      const items = json as unknown[]
      expect(items).toHaveLength(heldRows.length)
      expect(items.length).toBeGreaterThan(0)
      items.forEach((item, index) => same(item, heldRows[index]!, names))
    },
    equal: (found, expected) => {
      expect(found).toEqual(expected)
      count += leaves(expected)
    },
    compared: () => count,
  }
}

function epochMs(value: unknown): number {
  if (typeof value !== 'number') return Date.parse(String(value))
  return value < MAX_EPOCH_S ? value * 1_000 : value
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function leaves(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, part) => sum + leaves(part), 0)
}
