import type { BenchRecord } from '../../bench/bench-record.ts'
import { isGoal } from '../../bench/figure-table.ts'

/** Ways to get the same rows, by their row names in the benchmarks `peers` and `budget`; '' = not measured. */
const WAYS = [
  { way: 'coinlake', peer: 'coinlake, server started', paced: 'peers, 30 per 10 s: coinlake' },
  { way: 'a script by hand', peer: 'by hand', paced: 'peers, 30 per 10 s: script by hand' },
  { way: 'dlt, as documented', peer: 'dlt, as documented', paced: 'peers, 30 per 10 s: dlt' },
  { way: 'dlt, at its best', peer: 'dlt, at its best', paced: '' },
] as const

/** A table that compares the ways, from the kept figures of the benchmarks `peers` and `budget`. */
export function compareLines(records: readonly BenchRecord[]): string[] {
  const figure = (benchmark: string, title: string, row: string, column: string): number | null => {
    const tables = records.filter((one) => one.benchmark === benchmark).flatMap((one) => one.tables)
    for (const table of tables) {
      const at = table.columns.findIndex(({ name }) => name === column)
      const cell = table.rows.find(({ name }) => name === row)?.cells[at]
      if (!(table.title ?? '').startsWith(title) || cell === undefined) continue
      const value = isGoal(cell) ? cell.value : cell
      return typeof value === 'number' ? value : null
    }
    return null
  }
  return [
    '| 200 calls of hourly points into DuckDB | time | memory | the same command again | under 30 calls per 10 s |',
    '|---|---|---|---|---|',
    ...WAYS.map(({ way, peer, paced }) => {
      const measured = (column: string): number | null => figure('peers', 'W2', peer, column)
      const [rows, then] = [measured('rows'), measured('rows after')]
      const again = then === rows ? 'no row twice' : 'each row twice'
      const cells = [
        text`${measured('wall')} s`,
        text`${measured('peak')} MiB`,
        text`${measured('calls again')} calls, ${rows === null || then === null ? null : again}`,
        text`${figure('budget', '', paced, 'used when steady')} % used, ${figure('budget', '', paced, 'refused')} refused`,
      ]
      return `| ${[way, ...cells].join(' | ')} |`
    }),
  ]
}

/** The text of a cell. A figure below 100 has at most one decimal. */
function text(parts: TemplateStringsArray, ...values: (number | string | null)[]): string {
  if (values.includes(null)) return 'not measured'
  const shown = values.map((value) =>
    typeof value === 'number'
      ? value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })
      : value,
  )
  return parts.map((part, at) => part + (shown[at] ?? '')).join('')
}
