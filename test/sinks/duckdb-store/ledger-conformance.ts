import { expect, test } from 'vitest'
import type { Slice } from '../../../datasets/dataset.ts'
import { sliceId } from '../../../plan/planned-slice.ts'
import { hours, ticksRows } from './memory-stage.ts'
import type { StoreHarness, StoreUnderTest } from './store-harness.ts'
import { HOUR_MS, LATE_MS, START_MS, ticksSlice } from './test-dataset.ts'

/** The hours of a stretch after START_MS. */
const HOURS = ['from_at', 'to_at']
  .map((name) => `(epoch_ms(${name}) - ${START_MS}) // ${HOUR_MS}`)
  .join(', ')

/** Plan, coverage and counts: what every Store must know. */
export function ledgerConformance(harness: () => StoreHarness & StoreUnderTest): void {
  test('an empty store covers nothing and knows nothing', async () => {
    const { store, stage } = harness()
    expect(await store.covered(LATE_MS)).toEqual([])
    expect(await store.universe('top:3')).toBeNull()
    expect(await store.totals('none')).toEqual([])
    expect(await store.failures('none', 5)).toEqual([])
    expect(await store.knownListings()).toEqual([])
    expect(await store.callsSince(0)).toBe(0)
    expect(await store.nextSlices({ runId: 'none', after: -1, limit: 9 })).toEqual([])
    expect(
      await store.load({ runId: 'none', ordinals: [0, 1], nowMs: LATE_MS }, stage),
    ).toMatchObject({
      loadId: 0,
      slices: 0,
      notStaged: [],
    })
  })

  test('a plan is written once, and a run walks it by cursor', async () => {
    const { store, plan } = harness()
    const slices = hours(0, 7).map((hour) => ticksSlice(hour, hour + 1))
    const runId = await plan(...slices)
    const again = { runId, orderId: 'other', startedAtMs: 0, coinlakeVersion: '9' }
    expect(await store.writePlan(again, slices.slice(0, 2))).toBe(7)
    const [first] = await store.nextSlices({ runId, after: 0, limit: 1 })
    expect(first).toEqual({
      ...ticksSlice(1, 2),
      sliceId: sliceId(ticksSlice(1, 2)),
      generation: 0,
      ordinal: 1,
    })
    const rest = await store.nextSlices({ runId, after: 1, limit: 3 })
    expect(rest.map(({ ordinal }) => ordinal)).toEqual([2, 3, 4])
  })

  test('many may ask at once, also while a plan is written', async () => {
    const { store, plan } = harness()
    const slices = hours(0, 64).map((hour) => ticksSlice(hour, hour + 1))
    const runId = await plan(...slices)
    const more = { runId: 'more', orderId: 'o', startedAtMs: START_MS, coinlakeVersion: '1' }
    const [written, ...found] = await Promise.all([
      store.writePlan(more, slices),
      ...hours(0, 32).map(async (pair) => {
        return await store.nextSlices({ runId, after: 2 * pair - 1, limit: 2 })
      }),
    ])
    expect(written).toBe(64)
    expect(found.map((look) => look.map(({ ordinal }) => ordinal))).toEqual(
      hours(0, 32).map((pair) => [2 * pair, 2 * pair + 1]),
    )
  })

  test('a slice given twice is planned once', async () => {
    const { store } = harness()
    const run = { runId: 'twice', orderId: 'o', startedAtMs: START_MS, coinlakeVersion: '1' }
    expect(await store.writePlan(run, [ticksSlice(0, 1), ticksSlice(0, 1)])).toBe(1)
  })

  test('covered: settled parts always, provisional ones until the recheck', async () => {
    const { store, stage, plan, loadAll, states, table } = harness()
    const now = START_MS + 5 * HOUR_MS
    const slices = [
      ticksSlice(0, 6),
      ticksSlice(10, 11, 'ethereum'),
      ticksSlice(20, 21),
      ticksSlice(0, 6, 'silent'),
    ]
    const runId = await plan(...slices)
    stage.put({ slice: slices[0]!, fetchedAtMs: now, columns: ticksRows([0]) })
    stage.put({ slice: slices[1]! })
    stage.put({ slice: slices[3]!, fetchedAtMs: now })
    await loadAll(runId, now)
    await store.failSlices(runId, [{ ordinal: 2, code: 'SOURCE_404', reason: 'gone' }])
    expect(await states()).toEqual(['provisional', 'empty', 'failed', 'provisional'])
    const byEntity = (a: Slice, b: Slice) => a.entity.localeCompare(b.entity)
    const recheckMs = START_MS + 5.5 * HOUR_MS
    expect((await store.covered(recheckMs - 1)).sort(byEntity)).toEqual([
      slices[0],
      slices[1],
      slices[3],
    ])
    const due = await store.covered(recheckMs)
    const byPlace = (a: Slice, b: Slice) => byEntity(a, b) || a.fromMs - b.fromMs
    const again = { ...ticksSlice(4, 6), isDueAgain: true }
    const silent = { entity: 'silent' }
    expect(due.toSorted(byPlace)).toEqual([
      ticksSlice(0, 4),
      again,
      slices[1],
      { ...ticksSlice(0, 4), ...silent },
      { ...again, ...silent },
    ])
    expect(await table(`SELECT entity, ${HOURS}, state FROM _coverage`)).toEqual([
      ['bitcoin', 0, 4, 'verified'],
      ['bitcoin', 4, 6, 'provisional'],
      ['bitcoin', 20, 21, 'failed'],
      ['ethereum', 10, 11, 'empty'],
      // An answer without a row has settled that the source has nothing there.
      ['silent', 0, 4, 'empty'],
      ['silent', 4, 6, 'provisional'],
    ])
  })

  test('slices that differ in one part are series of their own', async () => {
    const { store, stage, plan, loadAll, table } = harness()
    const first = ticksSlice(0, 2)
    const slices = [
      first,
      ticksSlice(2, 4),
      { ...ticksSlice(4, 6), vsCurrency: 'eur' },
      { ...ticksSlice(4, 6), granularity: '1d' as const },
      ticksSlice(4, 6, 'ethereum'),
    ]
    const runId = await plan(...slices)
    for (const slice of slices) stage.put({ slice })
    await loadAll(runId)
    const found = [ticksSlice(0, 4), ...slices.slice(2)].map((one) => JSON.stringify(one))
    const covered = await store.covered(first.toMs)
    expect(covered.map((one) => JSON.stringify(one)).toSorted()).toEqual(found.toSorted())
    const series = `SELECT entity, vs_currency, granularity, ${HOURS} FROM _coverage ORDER BY ALL`
    expect(await table(series)).toEqual([
      ['bitcoin', 'eur', '1h', 4, 6],
      ['bitcoin', 'usd', '1d', 4, 6],
      ['bitcoin', 'usd', '1h', 0, 4],
      ['ethereum', 'usd', '1h', 4, 6],
    ])
  })

  test('a settled stretch without points is empty, until a newer answer has some', async () => {
    const { loadOne, table, loadTicks } = harness()
    const coverage = (): Promise<unknown[]> => table(`SELECT ${HOURS}, state FROM _coverage`)
    const slice = ticksSlice(0, 100)
    const gap = (from: number, to: number) => ticksSlice(from, to)
    await loadOne({
      slice,
      fetchedAtMs: START_MS + 90.5 * HOUR_MS,
      columns: ticksRows([0, 1, 40, 59]),
      gaps: [gap(2, 40), gap(60, 100)],
    })
    const torn = [
      [0, 2, 'verified'],
      [2, 40, 'empty'],
      [40, 60, 'verified'],
    ]
    const [settled, provisional] = [
      [60, 89, 'empty'],
      [89, 100, 'provisional'],
    ]
    expect(await coverage()).toEqual([...torn, settled, provisional])
    await loadTicks(0, 20)
    expect(await coverage()).toEqual([
      [0, 20, 'verified'],
      [20, 40, 'empty'],
      ...torn.slice(2),
      settled,
      provisional,
    ])
    // A refetch has the bounds of the first answer.
    const whole = {
      slice: ticksSlice(0, 60),
      columns: ticksRows(hours(0, 60)),
    }
    await loadOne({ ...whole, columns: ticksRows([0, 59]), gaps: [gap(1, 59)] })
    await loadOne(whole)
    expect(await coverage()).toEqual([[0, 60, 'verified'], settled, provisional])
  })

  test('coverage joins neighbours, and what is verified hides what was not', async () => {
    const { store, plan, table, loadTicks } = harness()
    await loadTicks(0, 2)
    const failed = await plan(ticksSlice(0, 6))
    await store.failSlices(failed, [{ ordinal: 0, code: 'X', reason: 'y' }])
    await loadTicks(2, 4)
    const found = await table(`SELECT ${HOURS}, state FROM _coverage`)
    expect(found).toEqual([
      [0, 4, 'verified'],
      [4, 6, 'failed'],
    ])
  })

  test('quarantined rows are open until all of their stretch is loaded again', async () => {
    const { loadOne, table } = harness()
    const raw = (value: string) => [{ rule: 'not_a_number', path: '$', raw: value }]
    const answer = { columns: ticksRows([0, 1]) }
    const gone = [{ rule: 'not_in_answer', path: '$.x', raw: '"x"' }]
    const first = [...raw('"first"'), ...gone]
    await loadOne({ ...answer, slice: ticksSlice(0, 2), rejected: first })
    const states = (): Promise<unknown[]> =>
      table('SELECT raw, ended_as, ended_at IS NULL FROM _quarantine ORDER BY load_id, rule')
    // Another stretch, another coin, and a part of the stretch say nothing of it.
    await loadOne({ ...answer, slice: ticksSlice(2, 4), columns: ticksRows([2, 3]) })
    await loadOne({ ...answer, slice: ticksSlice(1, 2), columns: ticksRows([1]) })
    await loadOne({ ...answer, slice: { ...ticksSlice(0, 9), entity: 'other' } })
    expect(await states()).toEqual([
      ['"first"', null, true],
      ['"x"', null, true],
    ])
    await loadOne({ ...answer, slice: ticksSlice(0, 3), rejected: raw('"second"') })
    expect(await states()).toEqual([
      ['"first"', 'refetched', false],
      ['"x"', null, true],
      ['"second"', null, true],
    ])
  })

  test('a slice with only quarantined rows is not empty at the source', async () => {
    const { loadOne, states } = harness()
    const answer = { slice: ticksSlice(0, 2) }
    const rejected = [{ rule: 'not_a_number', path: '$.prices[0][1]', raw: '"x"' }]
    await loadOne({ ...answer, rejected })
    await loadOne(answer)
    expect(await states()).toEqual(['loaded', 'empty'])
  })

  test('rejected rows, unknown paths and requests are in the ledger', async () => {
    const { store, stage, plan, loadAll, table } = harness()
    const slice = ticksSlice(0, 3)
    const runId = await plan(slice)
    const rejected = [{ rule: 'not_a_number', path: '$.prices[1][1]', raw: '"x"' }]
    const counts = { outsideSlice: 5, duplicate: 1, future: 2 }
    const facts = { slice, counts, unknownPaths: { '$.a': 2 } }
    // The listing grew while it was read: its last page has the last word.
    stage.put({ ...facts, columns: ticksRows([0, 1]), rejected, calls: 2, toldItems: 4 })
    stage.put({ ...facts, columns: ticksRows([2]), toldItems: 5 })
    expect(await loadAll(runId)).toMatchObject({ rowsInserted: 3, rowsQuarantined: 1 })
    await store.recordRequests(runId, [lost('r1', 503), lost('r1', 503), lost('r2', null)])
    await store.recordRequests(runId, [lost('r2', null)])
    expect(await store.totals(runId)).toEqual([
      {
        dataset: 'ticks',
        planned: 1,
        loaded: 1,
        provisional: 0,
        empty: 0,
        failed: 0,
        missing: 0,
        rows: 3,
        calls: 7,
        outsideSlice: 10,
        duplicate: 2,
        quarantined: 1,
        moved: 0,
        unlisted: 2,
        unknownPaths: { '$.a': 4 },
      },
    ])
    expect(await store.callsSince(0)).toBe(7)
    expect(await store.callsSince(LATE_MS + 1)).toBe(0)
    expect(await table('SELECT dataset, rule, path, raw, load_id FROM _quarantine')).toEqual([
      ['ticks', 'not_a_number', '$.prices[1][1]', '"x"', 1],
    ])
    expect(await table('SELECT page, rows, status, calls FROM _requests ORDER BY page')).toEqual([
      [1, 2, 200, 2],
      [2, 1, 200, 1],
      [null, null, 503, 1],
      [null, null, null, 3],
    ])
    expect(await store.knownListings()).toEqual([
      {
        dataset: 'ticks',
        entity: 'bitcoin',
        vsCurrency: 'usd',
        step: 0,
        items: 3,
        pages: 2,
      },
    ])

    function lost(requestId: string, status: number | null) {
      const what = { operation: 'coins/list', url: 'http://x', code: 'SOURCE_UNAVAILABLE' }
      // A refused request may have cost more than one: connection faults are retried at once.
      const cost = { requestedAtMs: LATE_MS, durationMs: 3.5, calls: status === null ? 3 : 1 }
      return { requestId, sliceId: sliceId(slice), status, ...what, ...cost }
    }
  })

  test('pages that an earlier run had staged cost a run no calls', async () => {
    const { store, stage, plan, loadAll } = harness()
    const [staged, fetched] = [ticksSlice(0, 1), ticksSlice(1, 2)]
    const runId = await plan(staged, fetched)
    stage.put({ slice: staged, columns: ticksRows([0]), fetchedAtMs: START_MS, calls: 4 })
    stage.put({ slice: fetched, columns: ticksRows([1]), calls: 2 })
    await loadAll(runId)
    expect(await store.totals(runId)).toMatchObject([{ rows: 2, calls: 2 }])
  })

  test('failed slices are named, are not loaded, and get a new generation when planned again', async () => {
    const { store, stage, plan, loadAll } = harness()
    const slice = ticksSlice(0, 1)
    const runId = await plan(slice)
    stage.put({ slice, columns: ticksRows([0]) })
    await store.failSlices(runId, [{ ordinal: 0, code: 'SOURCE_404', reason: 'no such coin' }])
    await store.failSlices(runId, [{ ordinal: 0, code: 'OTHER', reason: 'again' }])
    expect((await loadAll(runId)).slices).toBe(0)
    expect(await store.failures(runId, 10)).toEqual([
      { ...slice, sliceId: sliceId(slice), code: 'SOURCE_404', reason: 'no such coin' },
    ])
    const next = await plan(slice)
    const [planned] = await store.nextSlices({ runId: next, after: -1, limit: 1 })
    expect(planned?.generation).toBe(1)
  })

  test('a run keeps its facts; slices that fail without a call join its plan', async () => {
    const { store, table } = harness()
    const runId = 'facts'
    const [first, second, third] = hours(0, 3).map((hour) => ticksSlice(hour, hour + 1))
    const run = { runId, orderId: 'o', startedAtMs: START_MS, coinlakeVersion: '9' }
    const more = { schedule: 'hourly', windowMs: LATE_MS, leftToOthers: 2 }
    await store.writePlan({ ...run, ...more, purpose: 'refetch' }, [first!, second!])
    const facts = 'purpose, schedule, epoch_ms(window_at), left_to_others, coinlake_version'
    expect(await table(`SELECT ${facts} FROM _runs`)).toEqual([
      ['refetch', 'hourly', LATE_MS, 2, '9'],
    ])
    const failure = { code: 'BUCKET_MISSED', reason: 'too late' }
    await store.addFailed(runId, [second!, third!], failure)
    expect(await table('SELECT ordinal, state, code FROM _slices ORDER BY ordinal')).toEqual([
      [0, 'planned', null],
      [1, 'planned', null],
      [2, 'failed', 'BUCKET_MISSED'],
    ])
    expect(await store.plannedBy([runId])).toEqual(expect.arrayContaining([first, second]))
    expect(await store.plannedBy([runId])).toHaveLength(2)
    expect(await store.plannedBy(['other'])).toEqual([])
  })

  test('the first failures of a run have one of each reason, and no absence that was told', async () => {
    const { store, plan } = harness()
    const runId = await plan(...['a', 'b', 'c', 'd'].map((coin) => ticksSlice(0, 1, coin)))
    const codes = ['SOURCE_NOT_FOUND', 'SOURCE_DATA', 'SOURCE_DATA', 'SOURCE_404']
    const failed = codes.map((code, ordinal) => ({ ordinal, code, reason: 'refused' }))
    await store.failSlices(runId, failed)
    const told = { dataset: 'ticks', entity: 'a', goneSinceMs: 0, wasListed: true, isTold: true }
    const named = await store.failures(runId, 2, [{ ...told, rows: 0, slices: 1 }])
    expect(named.map(({ entity }) => entity)).toEqual(['b', 'd'])
    expect(await store.failures(runId, 9)).toHaveLength(4)
  })

  test('a refetch takes no staged page of a broken-off run, whose age nobody knows', async () => {
    const { store, plan } = harness()
    await plan(ticksSlice(0, 1))
    const generations = []
    for (const runId of ['broken-off', 'again']) {
      const run = { runId, orderId: 'o', startedAtMs: START_MS, coinlakeVersion: '1' }
      await store.writePlan({ ...run, purpose: 'refetch' }, [ticksSlice(0, 1)])
      generations.push(...(await store.nextSlices({ runId, after: -1, limit: 1 })))
    }
    expect(generations).toMatchObject([{ generation: 1 }, { generation: 2 }])
  })

  test('months that changed are marked with the load that changed them', async () => {
    const { loadOne, table, loadTicks } = harness()
    // START_MS is the last day of January: hour 24 is in February.
    await loadTicks(0, 30, { columns: ticksRows([0, 25]) })
    await loadOne({
      slice: ticksSlice(24, 30),
      fetchedAtMs: LATE_MS + 1,
      columns: ticksRows([25, 26]),
    })
    await loadOne({ slice: ticksSlice(0, 2), fetchedAtMs: LATE_MS + 2, columns: ticksRows([0]) })
    const found = await table('SELECT table_name, month, load_id FROM _partitions ORDER BY ALL')
    expect(found).toEqual([
      ['ticks', '2024-01', 1],
      ['ticks', '2024-02', 2],
    ])
  })

  test('universes and runs are kept, and all of it survives closing', async () => {
    const { store, stage, plan, loadAll, reopen } = harness()
    await store.freezeUniverse('top:2', ['b', 'a'], START_MS)
    await store.freezeUniverse('top:2', ['x', 'y'], START_MS)
    const runId = await plan(ticksSlice(0, 2))
    stage.put({ slice: ticksSlice(0, 2), columns: ticksRows([0, 1]) })
    await loadAll(runId)
    await store.finishRun(runId, 'complete', LATE_MS)
    const reopened = await reopen()
    expect(await reopened.universe('top:2')).toEqual(['b', 'a'])
    expect(await reopened.query('SELECT price FROM ticks ORDER BY ts')).toEqual([
      { price: 0.1 },
      { price: 1.1 },
    ])
    expect((await reopened.totals(runId))[0]).toMatchObject({ loaded: 1, rows: 2, calls: 1 })
    expect(await reopened.query('SELECT run_id, order_id, verdict FROM _runs')).toEqual([
      { run_id: runId, order_id: 'order', verdict: 'complete' },
    ])
  })
}
