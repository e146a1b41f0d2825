import { describe, expect, test } from 'vitest'
import { column } from '../../../datasets/table/column.ts'
import type { TableSpec } from '../../../datasets/dataset.ts'
import type { ManifestFile } from '../../../sinks/publish-parquet/manifest.ts'
import {
  addAction,
  applyActions,
  isExpired,
  type LoggedState,
  metaDataAction,
  removeAction,
} from '../../../sinks/publish-delta/delta-actions.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.UTC(2026, 2, 14)
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const TICKS: TableSpec = {
  name: 'ticks',
  description: 'Prices.',
  load: 'facts',
  key: ['coin_id', 'ts'],
  sort: ['coin_id', 'ts', 'day', 'rank'],
  monthBy: 'ts',
  columns: [
    { ...column('coin_id', 'string', 'The coin.'), nullable: false },
    column('ts', 'timestamp', 'The time.'),
    column('day', 'date', 'The day.'),
    column('rank', 'integer', 'The rank.'),
    column('price', 'double', 'The price.'),
  ],
}

const FILE: ManifestFile = {
  path: 'ticks/month=2026-02/a.parquet',
  table: 'ticks',
  month: '2026-02',
  rows: 3,
  size_bytes: 700,
  sha256: 'ab',
  load_id: 4,
  definition: 'cd',
  min: { coin_id: 'bitcoin', ts: '2026-02-01T00:00:00.000Z', day: '2026-02-01', rank: '1' },
  max: { coin_id: 'dogecoin', ts: '2026-02-02T00:00:00.123Z', day: null, rank: '9' },
}

function emptyState(): LoggedState {
  return { version: -1, live: new Map(), removed: new Set(), isRedefined: false }
}

/** The state after a commit with these entries. */
function stateAfter(...entries: object[]): LoggedState {
  const state = emptyState()
  applyActions(state, 'ticks', `${entries.map((one) => JSON.stringify(one)).join('\n')}\n \n`)
  return state
}

test.each([
  [NOW_MS - DAY_MS - 1, true],
  [NOW_MS - DAY_MS, true],
  [NOW_MS - DAY_MS + 1, false],
  [NOW_MS + DAY_MS, false],
])('files of %i are kept for a day: expired %s', (atMs, isOver) => {
  expect(isExpired(new Date(atMs).toISOString(), NOW_MS)).toBe(isOver)
})

test('the id of a table is a UUID that its warehouse and its name make', () => {
  const idOf = (name: string, warehouse: string): string => {
    const { metaData } = metaDataAction({ ...TICKS, name }, warehouse, NOW_MS)
    return (metaData as { id: string }).id
  }
  const ids = [idOf('ticks', 'a'), idOf('ticks', 'b'), idOf('spots', 'a')]
  for (const id of ids) expect(id).toMatch(UUID)
  expect(new Set(ids).size).toBe(3)
})

test('a file is added with the bounds of its texts and times, the largest time a millisecond later', () => {
  const { add } = addAction(TICKS, FILE, { nowMs: NOW_MS })
  const { stats, tags, ...facts } = add as { stats: string; tags: { coinlake: string } }
  expect(facts).toEqual({
    path: 'month=2026-02/a.parquet',
    partitionValues: {},
    size: 700,
    modificationTime: NOW_MS,
    dataChange: true,
  })
  expect(JSON.parse(tags.coinlake)).toEqual(FILE)
  expect(JSON.parse(stats)).toEqual({
    numRecords: 3,
    minValues: { coin_id: 'bitcoin', ts: '2026-02-01T00:00:00.000Z', day: '2026-02-01' },
    maxValues: { coin_id: 'dogecoin', ts: '2026-02-02T00:00:00.124Z' },
    nullCount: { coin_id: 0 },
  })
})

test('a file is removed by its path in the table', () => {
  const remove = { path: 'month=2026-02/a.parquet', deletionTimestamp: NOW_MS }
  expect(removeAction(TICKS, FILE.path, { atMs: NOW_MS })).toEqual({
    remove: { ...remove, dataChange: true },
  })
  expect(removeAction(TICKS, FILE.path, { atMs: NOW_MS, dataChange: false })).toEqual({
    remove: { ...remove, dataChange: false },
  })
})

describe('a commit that is read again', () => {
  const added = addAction(TICKS, FILE, { nowMs: NOW_MS })

  test('has its files, and those that it removed', () => {
    const state = stateAfter(added)
    expect([...state.live]).toEqual([[FILE.path, FILE]])
    expect(state).toMatchObject({ removed: new Set(), isRedefined: false })
    applyActions(state, 'ticks', JSON.stringify(removeAction(TICKS, FILE.path, { atMs: NOW_MS })))
    expect(state).toMatchObject({ live: new Map(), removed: new Set([FILE.path]) })
  })

  test('says whether it has set the columns', () => {
    expect(stateAfter({ metaData: {} }).isRedefined).toBe(true)
    expect(stateAfter({ metaData: null, add: null, remove: null, protocol: null })).toEqual(
      emptyState(),
    )
  })

  test.each([
    ['no tags', { path: 'month=2026-02/a.parquet' }],
    ['tags of null', { path: 'month=2026-02/a.parquet', tags: null }],
    ['tags of another program', { path: 'month=2026-02/a.parquet', tags: { other: '1' } }],
    ['a tag that is no JSON', { path: 'month=2026-02/a.parquet', tags: { coinlake: '{' } }],
    ['a tag that is no file', { path: 'month=2026-02/a.parquet', tags: { coinlake: '{}' } }],
    [
      'the tag of another file',
      { path: 'month=2026-02/b.parquet', tags: { coinlake: JSON.stringify(FILE) } },
    ],
  ])('knows no own file in an entry with %s', (_what, add) => {
    expect([...stateAfter({ add }).live]).toEqual([[`ticks/${add.path}`, null]])
  })

  test.each([
    [1, 2, true],
    [1, 1, true],
    [2, 2, false],
    [1, 3, false],
  ])('has the protocol of reader %i and writer %i: accepted %s', (reader, writer, isAccepted) => {
    const protocol = { minReaderVersion: reader, minWriterVersion: writer }
    const read = () => stateAfter({ protocol })
    if (isAccepted) expect(read()).toEqual(emptyState())
    else
      expect(read).toThrow(
        expect.objectContaining({
          code: 'PUBLISH_TARGET_FOREIGN',
          message: expect.stringContaining(`reader ${reader} and writer ${writer}`) as string,
        }),
      )
  })
})
