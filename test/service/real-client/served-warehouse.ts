import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import type { DuckDBConnection } from '@duckdb/node-api'
import { createTableSql } from '../../../datasets/table/ddl.ts'
import { datasets, tableByName } from '../../../datasets/index.ts'
import { fillWarehouse } from '../../../service/market/generate-market.ts'
import type { MarketSpec } from '../../../service/market/market-spec.ts'
import { appendArrow } from '../../../sinks/arrow-into-duckdb.ts'

const bin = fileURLToPath(new URL('../../../bin/coinlake.js', import.meta.url))

/** A warehouse on disk, served by the command line, and a way of our own to look into it. */
export interface ServedWarehouse {
  url: string
  connection: DuckDBConnection
  close(): Promise<void>
}

/** Writes a simulated market into a DuckDB file and lets `coinlake serve` answer from it. */
export async function serveWarehouse(
  spec: MarketSpec,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ServedWarehouse> {
  const dir = await mkdtemp(join(tmpdir(), 'coinlake-real-client-'))
  const file = join(dir, 'coinlake.duckdb')
  await writeMarket(file, spec)
  const child = spawn(
    process.execPath,
    [bin, 'serve', '--warehouse', file, '--port', '0', ...argv],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: dir,
      env: { ...process.env, COINLAKE_NOW: new Date(spec.nowMs).toISOString(), ...env },
    },
  )
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()))
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()))
  const exited = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), exited])
  if (stdout === '') throw new Error(`serve did not start: ${stderr}`)
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  return {
    url: stdout.trim(),
    connection,
    close: async () => {
      connection.closeSync()
      instance.closeSync()
      child.kill('SIGINT')
      await exited
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function writeMarket(file: string, spec: MarketSpec): Promise<void> {
  const instance = await DuckDBInstance.create(file)
  const writer = await instance.connect()
  for (const table of datasets.flatMap((dataset) => dataset.tables)) {
    await writer.run(createTableSql(table, { lineage: false }))
  }
  await fillWarehouse(spec, async (table, rows) => {
    await appendArrow(writer, table, rows, tableByName(table)!.columns)
  })
  writer.closeSync()
  instance.closeSync()
}
