import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { BenchService } from '../../../bench/service/bench-service.ts'
import type { PeerRun, PeerWork } from '../../../bench/compare/peer.ts'
import { LONG_TURN_CPU_S, measureInTurns, TURNS } from '../../../bench/compare/peers-turns.ts'
import type { NamedPeer } from '../../../bench/compare/peers-turns.ts'
import type { Workload } from '../../../bench/compare/workload.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { W1 } from '../../../bench/compare/w1-workload.ts'
import { askDuckdb } from '../../parts/duckdb.ts'

const WORKLOAD: Workload = {
  ...W1,
  few: 1,
  all: 3,
  columns: [
    { name: 'id', kind: 'text' },
    { name: 'price', kind: 'double' },
  ],
  keyLength: 1,
  *rows(size) {
    for (let id = 0; id < size; id += 1) yield [`coin-${id}`, id / 3]
  },
}
const SERVICE: BenchService = {
  url: 'http://127.0.0.1:1',
  takeTimes: async () => await Promise.resolve({ calls: 0, firstAtMs: 0 }),
  stop: async () => {},
}

/** A peer that writes a table, and adds to it when it is run again. */
function writer(name: string, cpuS: number, ran: string[]): NamedPeer {
  const fileOf = ({ dir }: PeerWork): string => join(dir, 'peer.duckdb')
  return {
    name,
    table: (work) => ({ file: fileOf(work), query: 'FROM made', python: null }),
    async run(work): Promise<PeerRun> {
      ran.push(`${name} ${work.size}${work.isAgain === true ? ' again' : ''}`)
      if (work.isAgain !== true) rmSync(work.dir, { recursive: true, force: true })
      mkdirSync(work.dir, { recursive: true })
      await askDuckdb(
        fileOf(work),
        `CREATE TABLE IF NOT EXISTS made (id VARCHAR, price DOUBLE);
         INSERT INTO made SELECT 'coin-' || i, i / 3 FROM range(${work.size}) t(i)`,
      )
      const use = { cpuS, peakRssBytes: 1, highWaterBytes: 1 }
      const times = { wallS: 1, startUpS: 0, workS: 1 }
      return { rows: 0, calls: 4, ...times, whole: use, root: use, descendants: use }
    },
  }
}

test('all peers have their turns, and one that fails or takes long delays no other', async () => {
  const folder = tempDir()
  const ran: string[] = []
  const failing: NamedPeer = {
    ...writer('failing', 1, ran),
    run: async () => await Promise.reject(new Error('ended with 1: no table')),
  }
  const told: string[] = []
  const found = await measureInTurns(
    WORKLOAD,
    SERVICE,
    [failing, writer('quick', 1, ran), writer('long', LONG_TURN_CPU_S + 1, ran)],
    { folder, print: (line) => void told.push(line) },
  )
  expect(found.faults).toEqual([{ peer: 'failing', reason: 'ended with 1: no table' }])
  expect(told[0]).toContain('failing, first run: ended with 1: no table')
  const further = Array.from({ length: TURNS - 1 }, () => 'quick 3')
  const first = ['quick 1', 'long 1', 'quick 3', 'long 3']
  expect(ran).toEqual([...first, ...further, 'quick 3 again', 'long 3 again'])
  const values = { rows: 3, missing: 0, unexpected: 0, twice: 0, wrong: 0 }
  expect(found.results.map(({ peer, runs, ...rest }) => [peer, runs.length, rest])).toEqual([
    ['quick', TURNS, { values, again: { calls: 4, rows: 6 } }],
    ['long', 1, { values, again: { calls: 4, rows: 6 } }],
  ])
})
