import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { leaseServer } from '../engine/server/lease-server.ts'
import { stopServer } from '../test/parts/stop-server.ts'

/** The command of this clone. */
export const BIN = fileURLToPath(new URL('../bin/coinlake.js', import.meta.url))

/** The environment of commands that keep a Temporal server of their own in `engineDir`. */
export function ownEngineEnv(engineDir: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    COINLAKE_API_KEY: 'bench',
    COINLAKE_ENGINE_DIR: engineDir,
    COINLAKE_ENGINE_ISOLATED: '1',
  }
}

/** Works beside a running Temporal server in a new folder of `folder`, and stops the server. */
export async function withOwnEngine<T>(
  folder: string,
  work: (engineDir: string) => Promise<T>,
): Promise<T> {
  const engineDir = join(folder, 'engine')
  mkdirSync(engineDir)
  const lease = await leaseServer({ stateDir: engineDir, env: process.env })
  try {
    return await work(engineDir)
  } finally {
    lease.release()
    await stopServer(engineDir)
  }
}

/**
 * Writes a coinlake.yaml with the DuckDB publication into a folder. Returns its path.
 *
 * @param datasets the lines below `datasets:`
 * @param rate of `source`. Default: learned
 */
export function writeBenchConfig(
  dir: string,
  { baseUrl, datasets, rate }: { baseUrl: string; datasets: string; rate?: string | undefined },
): string {
  const file = join(dir, 'coinlake.yaml')
  const more = rate === undefined ? '' : `, rate: ${rate}`
  const text = `source: { base_url: "${baseUrl}", api_key: "\${COINLAKE_API_KEY}"${more} }
warehouse: ./warehouse
sinks: [duckdb]
datasets:
  ${datasets}
`
  writeFileSync(file, text)
  return file
}
