import { expect, test } from 'vitest'
import { sliceId } from '../../../plan/planned-slice.ts'
import { hours, ticksRows } from './memory-stage.ts'
import type { StoreHarness } from './store-harness.ts'
import { daySlice, HOUR_MS, LATE_MS, START_MS, ticksSlice } from './test-dataset.ts'

/** How rows meet rows: what every Store must do in a load. */
export function loadConformance(harness: () => StoreHarness): void {
  test('loads rows with their lineage, sorted, with every value as it came', async () => {
    const { loadOne, table } = harness()
    const slice = ticksSlice(0, 4)
    const rows = ticksRows([3, 0, 2, 1], (hour) => [0.1 + 0.2, null, -0, 5e-324][hour] ?? null, {
      note: ['比特币', 'thirteen-byte', '', null],
      extra: ['{"a":1}', null, '[]', null],
      rank: [2 ** 53 - 1, null, -1, 0],
      is_stale: [true, null, false, true],
    })
    const id = sliceId(slice)
    const report = await loadOne({ slice, columns: rows })
    expect(report).toEqual({
      loadId: 1,
      slices: 1,
      rowsInserted: 4,
      rowsReplaced: 0,
      rowsRevised: 0,
      rowsDuplicate: 0,
      rowsQuarantined: 0,
      notStaged: [],
      sliceIds: [id],
    })
    const found = await table(
      `SELECT price, rank, note, is_stale, extra, ts_date::VARCHAR, is_provisional,
         epoch_ms(fetched_at), slice_id, load_id FROM ticks ORDER BY rowid`,
    )
    expect(found).toEqual([
      [0.1 + 0.2, null, 'thirteen-byte', null, null, '2024-01-31', false, LATE_MS, id, 1],
      [null, 0, null, true, null, '2024-01-31', false, LATE_MS, id, 1],
      [-0, -1, '', false, '[]', '2024-01-31', false, LATE_MS, id, 1],
      [5e-324, 2 ** 53 - 1, '比特币', true, '{"a":1}', '2024-01-31', false, LATE_MS, id, 1],
    ])
  })

  test('the same load again claims nothing and changes nothing', async () => {
    const { stage, plan, loadAll, ticks, table } = harness()
    const slice = ticksSlice(0, 3)
    const runId = await plan(slice)
    stage.put({ slice, columns: ticksRows(hours(0, 3)) })
    await loadAll(runId)
    const before = await table('FROM _slices')
    const nothing = { loadId: 0, slices: 0, rowsInserted: 0, notStaged: [] }
    expect(await loadAll(runId, LATE_MS + 1)).toMatchObject(nothing)
    // The stage lets go of what is loaded.
    stage.drop(slice)
    expect(await loadAll(runId, LATE_MS + 2)).toMatchObject(nothing)
    expect(await table('FROM _slices')).toEqual(before)
    expect(await ticks()).toEqual(['0=0.1', '1=1.1', '2=2.1'])
    expect(await table('SELECT count(*) FROM _loads')).toEqual([[1]])
    expect(await table('SELECT count(*) FROM _requests')).toEqual([[1]])
  })

  test('two loads at once claim a slice once', async () => {
    const { stage, plan, loadAll, ticks } = harness()
    const slices = hours(0, 6).map((hour) => ticksSlice(hour, hour + 1))
    const runId = await plan(...slices)
    for (const [hour, slice] of slices.entries()) {
      stage.put({ slice, columns: ticksRows([hour]) })
    }
    const reports = await Promise.all([loadAll(runId), loadAll(runId), loadAll(runId)])
    expect(reports.reduce((sum, report) => sum + report.slices, 0)).toBe(6)
    expect(reports.reduce((sum, report) => sum + report.rowsInserted, 0)).toBe(6)
    expect(await ticks()).toHaveLength(6)
  })

  test('pages that another run has loaded already are not loaded again beside new ones', async () => {
    const { store, stage, plan, loadAll, ticks, states, table } = harness()
    const [known, more] = [ticksSlice(0, 2), ticksSlice(2, 4)]
    const killed = await plan(known, more)
    const next = await plan(known)
    stage.put({ slice: known, columns: ticksRows([0, 1]) })
    stage.put({ slice: more, columns: ticksRows([2, 3]) })
    await loadAll(next)
    expect(await loadAll(killed)).toMatchObject({ slices: 1, rowsInserted: 2, rowsDuplicate: 0 })
    expect(await states()).toEqual(['loaded', 'loaded', 'loaded'])
    expect((await store.totals(killed))[0]).toMatchObject({ loaded: 2, rows: 2, calls: 1 })
    expect(await ticks()).toEqual(['0=0.1', '1=1.1', '2=2.1', '3=3.1'])
    // The join that the comment of slice_id names: each row once.
    const joined = `SELECT count(*), count(DISTINCT ts) FROM ticks JOIN _slices USING (slice_id, load_id)`
    expect(await table(`${joined} WHERE pages > 0`)).toEqual([[4, 4]])
  })

  test.each([0, 1])('of several pages the oldest tells what is final: page %i', async (oldest) => {
    const { stage, plan, loadAll, ticks, states, table } = harness()
    const slice = ticksSlice(0, 4)
    const runId = await plan(slice)
    const oldMs = START_MS + 3 * HOUR_MS
    for (const [page, at] of [[0, 1, 2], [3]].entries()) {
      const fetchedAtMs = page === oldest ? oldMs : LATE_MS
      stage.put({ slice, fetchedAtMs, columns: ticksRows(at) })
    }
    await loadAll(runId)
    expect(await ticks()).toEqual(['0=0.1', '1=1.1', '2=2.1~', '3=3.1~'])
    expect(await states()).toEqual(['provisional'])
    expect(await table('SELECT epoch_ms(fetched_at) FROM _slices')).toEqual([[oldMs]])
  })

  test.each([0, 1])(
    'a repeated key within a load is kept once, fetched last: slice %i',
    async (newest) => {
      const { stage, plan, loadAll, ticks, states, table } = harness()
      const slices = [ticksSlice(0, 4), ticksSlice(0, 5)]
      const runId = await plan(...slices)
      for (const [index, slice] of slices.entries()) {
        const fetchedAtMs = LATE_MS + (index === newest ? 1 : 0)
        // Hour 3 stands twice within each answer.
        const columns = ticksRows([0, 1, 2, 3, 3], () => index)
        stage.put({ slice, fetchedAtMs, columns })
      }
      expect(await loadAll(runId)).toMatchObject({ rowsInserted: 4, rowsDuplicate: 6 })
      expect(await ticks()).toEqual([0, 1, 2, 3].map((hour) => `${hour}=${newest}`))
      const counts = await table('SELECT row_count, duplicate FROM _slices ORDER BY ordinal')
      expect(counts[newest]).toEqual([4, 1])
      expect(counts[1 - newest]).toEqual([0, 5])
      // Its rows are not lost: the source had something, which the other slice brought too.
      expect(await states()).toEqual(['loaded', 'loaded'])
    },
  )

  test('equal rows of another slice are duplicates and stay as they were', async () => {
    const { table, loadTicks } = harness()
    await loadTicks(0, 3)
    const report = await loadTicks(1, 4)
    expect(report).toMatchObject({ rowsInserted: 1, rowsDuplicate: 2, rowsRevised: 0 })
    expect(await table('SELECT load_id FROM ticks ORDER BY ts')).toEqual([[1], [1], [1], [2]])
    expect(await table('SELECT count(*) FROM _revisions')).toEqual([[0]])
  })

  test('a changed closed value shows the latest and keeps both', async () => {
    const { store, loadOne, ticks } = harness()
    const slice = ticksSlice(0, 3)
    await loadOne({ slice, columns: ticksRows(hours(0, 3)) })
    const changed = ticksRows(hours(0, 3), (hour) => (hour === 1 ? null : hour + 0.1))
    const report = await loadOne({ slice, fetchedAtMs: LATE_MS + 5, columns: changed })
    expect(report).toMatchObject({
      rowsInserted: 1,
      rowsReplaced: 1,
      rowsRevised: 1,
      rowsDuplicate: 2,
    })
    expect(await ticks()).toEqual(['0=0.1', '1=null', '2=2.1'])
    const [revision] = await store.query(
      `SELECT table_name, key, before, after, epoch_ms(first_seen_at) AS seen,
         epoch_ms(replaced_at) AS replaced, old_load_id, new_load_id FROM _revisions`,
    )
    expect(revision).toMatchObject({
      table_name: 'ticks',
      seen: LATE_MS,
      replaced: LATE_MS + 5,
      old_load_id: 1,
      new_load_id: 2,
    })
    expect(JSON.parse(String(revision?.['key']))).toMatchObject({ coin_id: 'bitcoin' })
    expect(JSON.parse(String(revision?.['before']))).toMatchObject({ price: 1.1 })
    expect(JSON.parse(String(revision?.['after']))).toMatchObject({ price: null })
  })

  test('an older answer that is loaded later does not win', async () => {
    const { stage, plan, loadAll, loadOne, ticks, table } = harness()
    const slices = [ticksSlice(0, 2), ticksSlice(0, 3)]
    const killed = await plan(slices[0]!)
    stage.put({
      slice: slices[0]!,
      fetchedAtMs: LATE_MS - 5,
      columns: ticksRows([0, 1], () => 1),
    })
    await loadOne({
      slice: slices[1]!,
      columns: ticksRows([0, 1, 2], () => 2),
    })
    expect(await loadAll(killed)).toMatchObject({
      rowsInserted: 0,
      rowsReplaced: 0,
      rowsRevised: 2,
    })
    expect(await ticks()).toEqual(['0=2', '1=2', '2=2'])
    const revisions = await table(
      `SELECT before->>'price', after->>'price', epoch_ms(first_seen_at), epoch_ms(replaced_at) FROM _revisions`,
    )
    const revision = ['1.0', '2.0', LATE_MS - 5, LATE_MS]
    expect(revisions).toEqual([revision, revision])
  })

  test('an older answer that is loaded later removes no newer provisional row', async () => {
    const { stage, plan, loadAll, loadOne, ticks } = harness()
    const now = START_MS + 2 * HOUR_MS
    const killed = await plan(ticksSlice(0, 3))
    stage.put({ slice: ticksSlice(0, 3), fetchedAtMs: now - 60_000, columns: ticksRows([0, 1]) })
    await loadOne({ slice: ticksSlice(0, 4), fetchedAtMs: now, columns: ticksRows([0, 1, 2]) })
    expect(await loadAll(killed)).toMatchObject({
      rowsInserted: 0,
      rowsReplaced: 0,
      rowsDuplicate: 2,
    })
    expect(await ticks()).toEqual(['0=0.1', '1=1.1~', '2=2.1~'])
  })

  test('a provisional range is replaced whole, without revisions', async () => {
    const { loadOne, ticks, states, table, loadTicks } = harness()
    const now = START_MS + 5 * HOUR_MS
    const slice = ticksSlice(0, 6)
    await loadOne({ slice, fetchedAtMs: now, columns: ticksRows(hours(0, 6)) })
    expect(await ticks()).toEqual(['0=0.1', '1=1.1', '2=2.1', '3=3.1', '4=4.1~', '5=5.1~'])
    expect(await states()).toEqual(['provisional'])
    // Hour 5 is gone from the newer answer, hour 4 has another value, 6 is new.
    const report = await loadTicks(4, 8, { columns: ticksRows([4, 6], () => 9) })
    expect(report).toMatchObject({ rowsInserted: 2, rowsReplaced: 2, rowsRevised: 0 })
    expect(await ticks()).toEqual(['0=0.1', '1=1.1', '2=2.1', '3=3.1', '4=9', '6=9'])
    expect(await table('SELECT count(*) FROM _revisions')).toEqual([[0]])
  })

  test('an empty answer too replaces what was provisional, and only of its series', async () => {
    const { loadOne, states, table } = harness()
    const now = START_MS + HOUR_MS
    const ether = ticksSlice(0, 2, 'ethereum')
    await loadOne({ slice: ticksSlice(0, 2), fetchedAtMs: now, columns: ticksRows([0, 1]) })
    await loadOne({
      slice: ether,
      fetchedAtMs: now,
      columns: ticksRows([0, 1], undefined, { coin_id: { constant: 'ethereum' } }),
    })
    expect(await loadOne({ slice: ticksSlice(0, 3) })).toMatchObject({
      rowsInserted: 0,
      rowsReplaced: 2,
    })
    expect(await table('SELECT coin_id, count(*) FROM ticks GROUP BY 1')).toEqual([['ethereum', 2]])
    expect(await table('SELECT month, load_id FROM _partitions')).toEqual([['2024-01', 3]])
    expect(await states()).toEqual(['provisional', 'provisional', 'empty'])
  })

  test('a snapshot key that is there stays', async () => {
    const { store, loadOne, table } = harness()
    const columns = (price: number, ids: string[]) => ({
      table: 'spots',
      values: { coin_id: ids, observed_at: { constant: START_MS }, price: { constant: price } },
      rowCount: ids.length,
    })
    const slice = daySlice('spots')
    await loadOne({ slice, fetchedAtMs: START_MS, columns: columns(1, ['a', 'b']) })
    const report = await loadOne({
      slice,
      fetchedAtMs: START_MS + 9,
      columns: columns(2, ['a', 'b', 'c']),
    })
    expect(report).toMatchObject({ rowsInserted: 1, rowsDuplicate: 2, rowsReplaced: 0 })
    const rows = await table('SELECT coin_id, price FROM spots ORDER BY coin_id')
    expect(rows).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 2],
    ])
    expect(await store.covered(LATE_MS)).toEqual([slice])
  })

  test('a catalogue keeps when it first saw a key and moves the rest on', async () => {
    const { loadOne, table } = harness()
    const columns = (seenMs: number, ids: string[], label: string) => ({
      table: 'names',
      values: {
        coin_id: ids,
        first_seen_at: { constant: seenMs },
        last_seen_at: { constant: seenMs },
        label: { constant: label },
      },
      rowCount: ids.length,
    })
    const at = (day: number) => START_MS + day * 24 * HOUR_MS
    const load = async (day: number, ids: string[], label: string) =>
      await loadOne({
        slice: daySlice('names', day),
        fetchedAtMs: at(day),
        columns: columns(at(day), ids, label),
      })
    await load(1, ['a', 'b'], 'one')
    expect(await load(2, ['b', 'c'], 'two')).toMatchObject({ rowsInserted: 1, rowsDuplicate: 1 })
    // A killed run's older listing, loaded late: it widens the period and changes nothing else.
    await load(0, ['b'], 'zero')
    const days = `(epoch_ms(first_seen_at) - ${START_MS}) // 86400000, (epoch_ms(last_seen_at) - ${START_MS}) // 86400000`
    expect(await table(`SELECT coin_id, ${days}, label, load_id FROM names ORDER BY 1`)).toEqual([
      ['a', 1, 1, 'one', 1],
      ['b', 0, 2, 'two', 2],
      ['c', 2, 2, 'two', 2],
    ])
  })

  test('a slice that is not whole in the stage stays planned, and the others are loaded', async () => {
    const { stage, plan, loadAll, ticks, states } = harness()
    const slices = hours(0, 4).map((hour) => ticksSlice(hour, hour + 1))
    const runId = await plan(...slices)
    for (const [hour, slice] of slices.entries()) {
      stage.put({ slice, columns: ticksRows([hour]) })
    }
    stage.drop(slices[1]!)
    stage.damage(slices[2]!)
    expect(await loadAll(runId)).toMatchObject({ slices: 2, rowsInserted: 2, notStaged: [1, 2] })
    expect(await states()).toEqual(['loaded', 'planned', 'planned', 'loaded'])
    expect(await ticks()).toEqual(['0=0.1', '3=3.1'])
  })
}
