import { tableFromColumns } from '../../datasets/arrow/arrow-columns.ts'
import type { Scalar } from '../../datasets/arrow/column-data.ts'
import { tableByName } from '../../datasets/index.ts'
import type { MarketBatch } from './write-batches.ts'
import { tableRecords } from './table-records.ts'

interface Entry {
  values: Record<string, Scalar>
  firstSeenMs: number
  lastSeenMs: number
}

/** Merges catalogues of several observations into one row per key: newest values, first and last seen. */
export interface CatalogueMerger {
  add(batch: MarketBatch, seenMs: number): void
  batches(): Generator<MarketBatch>
}

export function createCatalogueMerger(): CatalogueMerger {
  const tables = new Map<string, Map<string, Entry>>()
  return {
    add: ({ table, rows }, seenMs) => {
      const entries = tables.get(table) ?? new Map<string, Entry>()
      tables.set(table, entries)
      const spec = tableByName(table)!
      for (const values of tableRecords(spec, rows)) {
        const key = JSON.stringify(spec.key.map((name) => values[name]))
        const firstSeenMs = entries.get(key)?.firstSeenMs ?? seenMs
        entries.set(key, { values, firstSeenMs, lastSeenMs: seenMs })
      }
    },
    *batches() {
      for (const [table, entries] of tables) {
        const list = [...entries.values()]
        const spec = tableByName(table)!
        const column = (name: string): Scalar[] => {
          if (name === 'first_seen_at') return list.map((entry) => entry.firstSeenMs)
          if (name === 'last_seen_at') return list.map((entry) => entry.lastSeenMs)
          return list.map((entry) => entry.values[name]!)
        }
        const columns = Object.fromEntries(spec.columns.map(({ name }) => [name, column(name)]))
        yield { table, rows: tableFromColumns(spec, columns, list.length) }
      }
    },
  }
}
