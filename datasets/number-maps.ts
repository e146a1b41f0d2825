import type { Scalar } from './column-data.ts'
import type { RejectedRow, Row } from './dataset.ts'
import { jsonText } from './json-text.ts'

/** A map of numbers by code (`{"usd": 1.5, "btc": null}`) and the column that its values fill. */
export interface NumberMap {
  column: string
  /** JSON path of the map, e.g. `$.data.total_volume`. */
  path: string
  /** undefined where the source sent no map. */
  members: Readonly<Record<string, unknown>> | undefined
}

/** The members of one code in all maps. */
export interface NumberMapRow {
  code: string
  values: Readonly<Record<string, number | null>>
  /** Columns whose map has no member of this code. */
  absent: readonly string[]
}

/**
 * Maps joined by their codes, in the order in which codes first come up: a row per code. A member that
 * is neither a number nor null is rejected alone.
 */
export function joinNumberMaps(
  maps: readonly NumberMap[],
  rejected: RejectedRow[],
): NumberMapRow[] {
  const byCode = new Map<string, Record<string, number | null>>()
  for (const { column, path, members = {} } of maps) {
    for (const [code, value] of Object.entries(members)) {
      const rule = brokenRule(code, value)
      if (rule !== null) {
        const raw = jsonText({ [code]: value })
        rejected.push({ rule, path: `${path}.${code.toWellFormed()}`, raw })
        continue
      }
      const values = byCode.get(code) ?? {}
      values[column] = value as number | null
      byCode.set(code, values)
    }
  }
  return Array.from(byCode, ([code, values]) => ({
    code,
    values,
    absent: maps.flatMap(({ column }) => (Object.hasOwn(values, column) ? [] : [column])),
  }))
}

function brokenRule(code: string, value: unknown): string | null {
  // UTF-8 cannot hold half a character: it would become another code.
  if (!code.isWellFormed()) return 'not_a_text'
  if (value === null) return null
  if (typeof value !== 'number') return 'not_a_number'
  return Number.isFinite(value) ? null : 'not_finite'
}

/** The values of one map's column by row, null where there is none. */
export function numberMapColumn(rows: readonly NumberMapRow[], column: string): Scalar[] {
  return rows.map((row) => row.values[column] ?? null)
}

/** Text of the `_absent` column of each row. */
export function numberMapAbsent(rows: readonly NumberMapRow[]): Scalar[] {
  return rows.map(({ absent }) => (absent.length === 0 ? null : JSON.stringify(absent)))
}

/** The map that a column was read from; `codeColumn` holds its codes. */
export function numberMapOf(
  rows: readonly Row[],
  codeColumn: string,
  column: string,
): Record<string, number | null> {
  const present = rows.filter((row) => !absentColumns(row).includes(column))
  return Object.fromEntries(
    present.map((row) => [row[codeColumn] as string, row[column] as number | null]),
  )
}

function absentColumns(row: Row): readonly string[] {
  const text = row['_absent']
  return typeof text === 'string' ? (JSON.parse(text) as string[]) : []
}
