import { join } from 'node:path'
import { readAnswer } from '../api/answer.ts'
import { operations } from '../api/operations.ts'
import { systemClock } from '../config/clock.ts'
import type { PageTables, Slice } from '../datasets/dataset.ts'
import { datasetByName, datasets } from '../datasets/index.ts'
import { sliceId } from '../plan/slice-id.ts'
import { openStore } from '../sinks/duckdb-store/open-store.ts'
import { createDuckdbPublication } from '../sinks/publish-duckdb/duckdb-publication.ts'
import { remakePages } from '../sinks/replay/remake-page.ts'
import { openStage } from '../stage/open-stage.ts'
import type { PageToStage } from '../stage/page-stage.ts'
import { chartBody, FIRST_POINT_MS, HOUR_MS, POINTS_PER_CALL } from './service/chart-bodies.ts'
import type { Benchmark, BenchContext, BenchFigures } from './benchmark.ts'

const PAGES = 200
/** Pages of a load: the rows of two row groups, as a lane waits for. */
const PAGES_PER_LOAD = 114
/** Pages that are written at once: `source.concurrency`. */
const AT_ONCE = 16
const RUN = 'split'

/** Where the CPU of a page goes, step by step. */
export const split: Benchmark = {
  name: 'split',
  measures: 'CPU of each step between the last byte of an answer and the file of the readers',
  args: '',
  takes: '10 s',
  run: measureSplit,
}

/**
 * Where the CPU of a page goes: the steps between the answer's last byte and the readers' file, one after
 * the other in this process, without HTTP and without Temporal. User and system time of all threads, so
 * that the figures mean something on a machine that others use, too.
 */
async function measureSplit({ folder }: BenchContext): Promise<BenchFigures> {
  const bodies = Array.from({ length: PAGES }, (_, seed) => chartBody(seed))
  const steps: [string, number][] = []
  const timed = async <T>(name: string, work: () => Promise<T> | T): Promise<T> => {
    const before = process.cpuUsage()
    const result = await work()
    const { user, system } = process.cpuUsage(before)
    steps.push([name, (user + system) / 1000])
    return result
  }
  const tables = datasets.flatMap((dataset) => dataset.tables)
  const file = join(folder, 'store.duckdb')
  const facts = { tables, datasets, coinlakeVersion: 'bench', clock: systemClock }
  const store = await timed('a new store', () => openStore({ file, ...facts }))
  const remake = remakePages({ datasets, maxHistoryDays: null })
  const stage = openStage({ dir: join(folder, 'stage'), keep: 'forever', remake })
  const slices = bodies.map((_, coin) => sliceOf(coin))
  const run = { runId: RUN, orderId: RUN, startedAtMs: Date.now(), coinlakeVersion: 'bench' }
  await timed('plan', () => store.writePlan(run, slices))
  // Once for nothing: compiling is not what a page costs.
  const parse = (): unknown[] => bodies.map(parsed)
  const read = (answers: unknown[]): PageTables[] =>
    answers.map((json, page) => rowsOf(json, slices[page]!))
  read(parse())
  const answers = await timed('answer to JSON', parse)
  const pages = await timed('JSON to Arrow', () => read(answers))
  await timed('stage', async () => {
    const left = [...pages.keys()]
    const write = async (): Promise<void> => {
      for (let page = left.shift(); page !== undefined; page = left.shift()) {
        await stage.write(staged(slices[page]!, bodies[page]!, pages[page]!))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, write))
  })
  await timed('load', async () => {
    for (let start = 0; start < PAGES; start += PAGES_PER_LOAD) {
      const count = Math.min(PAGES_PER_LOAD, PAGES - start)
      const ordinals = Array.from({ length: count }, (_, page) => start + page)
      await store.load({ runId: RUN, ordinals, nowMs: Date.now() }, stage)
    }
  })
  const connection = await store.connect()
  const publication = createDuckdbPublication({
    connection,
    alone: store.alone,
    tables,
    dir: join(folder, 'published'),
    link: join(folder, 'coinlake.duckdb'),
  })
  const publishedAtMs = Date.now()
  await timed('publication', () =>
    publication.publish({ runId: RUN, publishedAtMs, coinlakeVersion: 'bench' }),
  )
  connection.closeSync()
  await timed('closing the store', () => store.close())
  const columns = [
    { name: '', unit: 'ms', decimals: 0 },
    { name: 'a page', unit: 'ms', decimals: 2 },
  ]
  const rows = steps.map(([name, ms]) => ({ name, cells: [ms, ms / PAGES] }))
  return {
    scenario: `${PAGES} pages of ${POINTS_PER_CALL} points, CPU of all threads`,
    tables: [{ title: '', rowsAre: 'step', columns, rows }],
  }
}

const DATASET = datasetByName('market_chart')!
const OPERATION = operations['coins/{id}/market_chart/range']

function sliceOf(coin: number): Slice {
  const toMs = FIRST_POINT_MS + (POINTS_PER_CALL - 1) * HOUR_MS
  const series = { entity: `coin-${coin}`, vsCurrency: 'usd', granularity: '1h' } as const
  return { dataset: DATASET.name, ...series, fromMs: FIRST_POINT_MS, toMs }
}

function parsed(body: Uint8Array): unknown {
  const raw = { status: 200, headers: {}, dateMs: null, rate: null, body }
  const context = { url: '', calls: 1, nowMs: Date.now(), durationMs: 0, redact: String }
  const answer = readAnswer(OPERATION, raw, context)
  if (answer instanceof Error || answer.kind !== 'ok')
    throw new Error('a body of ours is no answer')
  return answer.json
}

function rowsOf(json: unknown, slice: Slice): PageTables {
  const nowMs = Date.now()
  const [step] = DATASET.steps(slice, { nowMs, attempt: 1, maxHistoryDays: null })
  const place = { step: step!, stepIndex: 0, page: 1, itemsBefore: 0 }
  return DATASET.toTables(json, { slice, ...place, observedAtMs: nowMs, nowMs })
}

function staged(slice: Slice, rawBody: Uint8Array, page: PageTables): PageToStage {
  const { tables, counts, rejected, unknownPaths, itemCount, deliveredGranularity } = page
  const atMs = Date.now()
  const facts = {
    key: { sliceId: sliceId(slice), generation: 0, step: 0, page: 1 },
    slice,
    operation: OPERATION.id,
    url: 'http://127.0.0.1/v2',
    status: 200,
    requestedAtMs: atMs,
    fetchedAtMs: atMs,
    durationMs: 0,
    calls: 1,
    observedAtMs: atMs,
    next: null,
  }
  const told = { counts, rejected, unknownPaths, itemCount, deliveredGranularity }
  return { facts: { ...facts, ...told }, rawBody, tables }
}
