import type { TableSpec } from '../../datasets/dataset.ts'
import { tableFromColumns } from '../../datasets/arrow/arrow-columns.ts'
import { openStage } from '../../stage/open-stage.ts'
import type { Stage, StageOptions } from '../../stage/open-stage.ts'
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

export interface SampleRow {
  id: string
  tsMs: number | null
  price: number | null
  rank: number | null
  isStale: boolean | null
  dayMs: number | null
  extra: string | null
}

export const ROWS: readonly SampleRow[] = [
  {
    id: 'bitcoin',
    tsMs: 1_700_000_000_123,
    price: 9.04766669820536e-7,
    rank: 1,
    isStale: true,
    dayMs: 1_700_006_400_000,
    extra: '{"a":1}',
  },
  {
    id: '༼ つ ◕_◕ ༽つ 🚀 null',
    tsMs: null,
    price: null,
    rank: null,
    isStale: null,
    dayMs: null,
    extra: null,
  },
  {
    id: '',
    tsMs: -1,
    price: -1.5,
    rank: Number.MAX_SAFE_INTEGER,
    isStale: false,
    dayMs: -86_400_000,
    extra: '',
  },
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
      deliveredGranularity: '1h',
      next: facts.next ?? null,
    },
    rawBody: new TextEncoder().encode(facts.body ?? JSON.stringify(rows)),
    tables: [
      {
        table: SPEC.name,
        rows: tableFromColumns(
          SPEC,
          {
            id: rows.map((row) => row.id),
            ts: rows.map((row) => row.tsMs),
            price: rows.map((row) => row.price),
            rank: rows.map((row) => row.rank),
            is_stale: rows.map((row) => row.isStale),
            day: rows.map((row) => row.dayMs),
            extra: rows.map((row) => row.extra),
          },
          rows.length,
        ),
      },
    ],
  }
}
