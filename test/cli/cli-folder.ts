import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { startCli } from '../resume/cli-process.ts'
import type { CliProcess } from '../resume/cli-process.ts'
import { NOW } from '../resume/market-service.ts'
import type { Told } from './refusal.ts'

/** A folder with a coinlake.yaml, in which commands run as processes, on the test run's Temporal server. */
export interface CliFolder {
  dir: string
  configure(sourceUrl: string, warehouse: string, datasetLines: readonly string[]): Promise<void>
  start(words: readonly string[]): CliProcess
  /** With `maxFileBytes` no file may grow beyond that: what a full disk says, says this limit, too. */
  run(words: readonly string[], limit?: { maxFileBytes: number }): Promise<Told>
  remove(): Promise<void>
}

/** Makes one; whatever still runs in it when it is removed is killed. */
export async function openCliFolder(): Promise<CliFolder> {
  const dir = await mkdtemp(join(tmpdir(), 'coinlake-cli-folder-'))
  const { address, namespace } = inject('temporal')
  const env = {
    COINLAKE_NOW: NOW,
    COINLAKE_API_KEY: 'a-key',
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
  }
  const started: CliProcess[] = []
  const start = (words: readonly string[], maxFileBytes?: number): CliProcess => {
    const cli = startCli(words, {
      cwd: dir,
      env,
      ...(maxFileBytes !== undefined && { maxFileBytes }),
    })
    started.push(cli)
    return cli
  }
  return {
    dir,
    start: (words) => start(words),
    configure: (sourceUrl, warehouse, datasetLines) =>
      writeFile(
        join(dir, 'coinlake.yaml'),
        [
          `source: { base_url: "${sourceUrl}", api_key: "\${COINLAKE_API_KEY}", timeout: 5s }`,
          `warehouse: ${warehouse}`,
          'datasets:',
          ...datasetLines.map((line) => `  ${line}`),
          '',
        ].join('\n'),
      ),
    async run(words, limit) {
      const { code, stdout, stderr } = await start(words, limit?.maxFileBytes).ended
      return { exitCode: code, stdout, stderr }
    },
    async remove() {
      for (const cli of started) if (cli.isRunning()) cli.kill('SIGKILL')
      await Promise.all(started.map((cli) => cli.ended))
      await rm(dir, { recursive: true, force: true })
    },
  }
}
