import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchService } from './bench-service.ts'
import { measureTree } from './measure.ts'
import { peerRun } from './peer-run.ts'
import type { PeerRun } from './peer-run.ts'

/** The same rows with nothing between the answers and DuckDB's own JSON parser: a lower bound. */
export async function runBound(
  service: BenchService,
  coins: number,
  folder: string,
): Promise<PeerRun> {
  const file = join(folder, 'bound.duckdb')
  const bodies = join(folder, 'bound-bodies')
  rmSync(file, { force: true })
  rmSync(bodies, { recursive: true, force: true })
  const script = fileURLToPath(new URL('./peers/bound.ts', import.meta.url))
  const args = [script, service.url, String(coins), file, bodies]
  const measured = await measureTree(process.execPath, args, {
    cwd: folder,
    env: process.env,
    groupOf: () => 'bound',
  })
  if (measured.exitCode !== 0) throw new Error(`bound.ts failed: ${measured.stderr}`)
  return peerRun(measured, await service.takeTimes(), Number(measured.stdout.trim()))
}
