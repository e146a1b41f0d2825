import type { TableSpec } from '../../datasets/dataset.ts'
import { tableFromColumns } from '../../datasets/arrow/arrow-columns.ts'
import { openStage, type Stage, type StageOptions } from '../../stage/open-stage.ts'
import type { PageKey, PageToStage } from '../../stage/page-stage.ts'

export const SLICE_ID = '0123456789abcdef0123'
export const KEY: PageKey = { sliceId: SLICE_ID, generation: 0, step: 0, page: 1 }

/** One column of each type that a dataset can have. */
export const SPEC: TableSpec = {
  name: 'sample_rows',
  description: 'Rows of every column type.',
  columns: [
    { name: 'id', type: 'string', unit: null, description: 'Id.', nullable: false },
    { name: 'ts', type: 'timestamp', unit: 'UTC', description: 'Time.' },
    { name: 'price', type: 'double', unit: null, description: 'Price.' },
    { name: 'rank', type: 'integer', unit: null, description: 'Rank.' },
    { name: 'is_stale', type: 'boolean', unit: null, description: 'Stale.' },
    { name: 'day', type: 'date', unit: null, description: 'Day.' },
    { name: 'extra', type: 'json', unit: null, description: 'Rest.' },
  ],
  key: ['id'],
  sort: ['id'],
  load: 'facts',
  monthBy: null,
}

export type SampleRow = readonly (string | number | boolean | null)[]

/** By column, in their order. */
export const ROWS: readonly SampleRow[] = [
  ['bitcoin', 1_700_000_000_123, 9.04766669820536e-7, 1, true, 1_700_006_400_000, '{"a":1}'],
  ['༼ つ ◕_◕ ༽つ 🚀 null', null, null, null, null, null, null],
  ['', -1, -1.5, Number.MAX_SAFE_INTEGER, false, -86_400_000, ''],
]

/** A stage that makes sample rows again of the bodies that hold them. */
export function openSample(dir: string, options: Partial<StageOptions> = {}): Stage {
  return openStage({
    dir,
    keep: 'forever',
    remake(page, body) {
      const rows = JSON.parse(Buffer.from(body).toString()) as SampleRow[]
      return { page, tables: pageOf(rows).tables }
    },
    ...options,
  })
}

/** A page of the sample table, ready to be staged. */
export function pageOf(
  rows: readonly SampleRow[],
  facts: { key?: PageKey; next?: PageToStage['facts']['next']; body?: string } = {},
): PageToStage {
  const columns = Object.fromEntries(
    SPEC.columns.map(({ name }, at) => [name, rows.map((row) => row[at] ?? null)]),
  )
  return {
    facts: {
      key: facts.key ?? KEY,
      slice: {
        dataset: 'market_chart',
        entity: '../../etc/passwd',
        vsCurrency: 'usd',
        granularity: '1h',
        fromMs: 0,
        toMs: 3_600_000,
      },
      operation: 'coins/{id}/market_chart/range',
      url: 'http://127.0.0.1/v2/coins/bitcoin/market_chart/range',
      status: 200,
      requestedAtMs: 1_700_000_000_000,
      fetchedAtMs: 1_700_000_000_500,
      durationMs: 12.5,
      calls: 1,
      observedAtMs: 1_700_000_000_000,
      counts: { outsideSlice: 1, duplicate: 2, future: 0 },
      rejected: [{ rule: 'not_a_number', path: '$.prices[17][1]', raw: '"1e400 🚀"' }],
      unknownPaths: { '$.new': 3, 10: 1, 9: 1 },
      itemCount: rows.length,
      itemsSoFar: rows.length,
      deliveredGranularity: '1h',
      next: facts.next ?? null,
    },
    rawBody: new TextEncoder().encode(facts.body ?? JSON.stringify(rows)),
    tables: [{ table: SPEC.name, rows: tableFromColumns(SPEC, columns, rows.length) }],
  }
}
