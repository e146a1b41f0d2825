import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chartPages } from './chart-pages.ts'
import type { ChartPages } from './chart-pages.ts'
import { fillStore, openFilledStore } from './filled-store.ts'
import type { FilledStore } from './filled-store.ts'
import { cpuSince, machineCpu } from './machine-cpu.ts'
import { median, textTable } from './table.ts'

const MILLION = 1_000_000
/** Sizes in millions of rows; `npm run bench publish 1 10` takes those. */
const SIZES = [1, 10, 50]
const COINS = 700
/** 9,800 rows: a point of each coin for 14 hours. */
const SMALL_HOURS = 14
/** Half a million rows; the large load brings them and as many that are there. */
const LARGE_HOURS = 714
const ROUNDS = 3

interface Timed {
  loadMs: number
  /** The copy that is made while pages are fetched. */
  aheadMs: number
  duckdbMs: number
  parquetMs: number
}

/**
 * Publications of `market_chart` after a load of 10,000 new rows, and after one of a million of which
 * half is there, into tables of several sizes, by the store's own load.
 */
export async function publish(folder: string, print: (line: string) => void): Promise<void> {
  const wanted = process.argv.slice(3).map(Number)
  const sizes = wanted.length > 0 ? wanted : SIZES
  const before = machineCpu()
  const small: string[][] = []
  const large: string[][] = []
  let least: Timed | null = null
  for (const millions of sizes) {
    const filled = await openFilledStore(join(folder, `${millions}m`))
    try {
      const wantedHours = Math.round((millions * MILLION) / COINS)
      const isFirst = !existsSync(filled.link)
      let hours = await fillStore(filled, { coins: COINS, hours: wantedHours, digits: 'full' })
      const first = await publishBoth(filled)
      const rounds: Timed[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        rounds.push(await loadAndPublish(filled, chartPages(COINS, hours, hours + SMALL_HOURS)))
        hours += SMALL_HOURS
      }
      const typical = middle(rounds)
      least ??= typical
      small.push([
        `${millions} million`,
        ...cells(typical),
        ratio(typical.duckdbMs, least.duckdbMs),
        ratio(typical.parquetMs, least.parquetMs),
        isFirst ? seconds(first.duckdbMs) : '-',
        isFirst ? seconds(first.parquetMs) : '-',
      ])
      print(`${millions} million: ${small.at(-1)?.slice(1).join('  ')}`)
      const halves = await largeRounds(filled, hours)
      large.push([
        `${millions} million`,
        ...cells(halves),
        ratio(halves.duckdbMs, halves.loadMs),
        ratio(halves.parquetMs, halves.loadMs),
      ])
    } finally {
      await filled.close()
    }
  }
  const head = ['rows there', 'load s', 'copy ahead s', 'duckdb s', 'parquet s']
  print('')
  const small2 = [...head, 'duckdb x', 'parquet x', 'first duckdb s', 'first parquet s']
  for (const line of textTable(small2, small)) print(line)
  print('')
  for (const line of textTable([...head, 'duckdb / load', 'parquet / load'], large)) print(line)
  const { busyS, allS } = cpuSince(before)
  print(
    `the machine was busy for ${((busyS / allS) * 100).toFixed(0)} % of the time, this one included`,
  )
}

async function largeRounds(filled: FilledStore, fromHour: number): Promise<Timed> {
  const rounds: Timed[] = []
  let hours = fromHour
  for (let round = 0; round < ROUNDS; round += 1) {
    await loadAndPublish(filled, chartPages(COINS, hours, hours + LARGE_HOURS))
    const both = chartPages(COINS, hours, hours + 2 * LARGE_HOURS)
    rounds.push(await loadAndPublish(filled, both))
    hours += 2 * LARGE_HOURS
  }
  return middle(rounds)
}

async function loadAndPublish(filled: FilledStore, pages: ChartPages): Promise<Timed> {
  const { store, duckdb } = filled
  const runId = `run-${pages.slices[0]?.fromMs}-${pages.rows}`
  const run = { runId, orderId: 'order', startedAtMs: Date.now(), coinlakeVersion: '0.0.0' }
  await store.writePlan(run, pages.slices)
  const aheadMs = await timed(() => duckdb.prepare())
  const ordinals = pages.slices.map((_, ordinal) => ordinal)
  const nowMs = Math.max(...pages.slices.map(({ toMs }) => toMs))
  const loadMs = await timed(async () => {
    const report = await store.load({ runId, ordinals, nowMs }, pages.stage)
    if (report.slices !== pages.slices.length) throw new Error('not all slices were loaded')
  })
  return { aheadMs, loadMs, ...(await publishBoth(filled)) }
}

async function publishBoth({
  duckdb,
  parquet,
}: FilledStore): Promise<Pick<Timed, 'duckdbMs' | 'parquetMs'>> {
  const run = { runId: 'bench', publishedAtMs: Date.now(), coinlakeVersion: '0.0.0' }
  const duckdbMs = await timed(() => duckdb.publish(run))
  const parquetMs = await timed(() => parquet.publish(run))
  return { duckdbMs, parquetMs }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

function middle(rounds: readonly Timed[]): Timed {
  const of = (name: keyof Timed): number => median(rounds.map((round) => round[name]))
  return {
    loadMs: of('loadMs'),
    aheadMs: of('aheadMs'),
    duckdbMs: of('duckdbMs'),
    parquetMs: of('parquetMs'),
  }
}

function cells({ loadMs, aheadMs, duckdbMs, parquetMs }: Timed): string[] {
  return [loadMs, aheadMs, duckdbMs, parquetMs].map(seconds)
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2)
}

function ratio(one: number, other: number): string {
  return (one / other).toFixed(2)
}
