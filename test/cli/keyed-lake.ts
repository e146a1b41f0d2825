import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { operations } from '../../api/operations.ts'
import { frozenClock } from '../../config/clock.ts'
import { createService } from '../../service/app.ts'
import { createKeyRing } from '../../service/key-ring.ts'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import type { QuotaOptions } from '../../service/quota.ts'
import type { RequestEntry } from '../../service/request-log.ts'
import { startService } from '../../service/serve-http.ts'
import { createSimulatedSource } from '../../service/simulated-source.ts'
import { appendArrow } from '../../sinks/arrow-into-duckdb.ts'
import { runCaptured } from './run-captured.ts'
import type { Captured } from './run-captured.ts'

const NOW_MS = Date.UTC(2024, 3, 5)

export interface KeyedLakeOptions {
  coins: number
  /** Texts of the keys that the service accepts. */
  keys: readonly string[]
  /** Of each key. */
  quota?: QuotaOptions
  /** Told of each request before it is answered; false refuses its key. */
  admits?: (key: string, count: number) => boolean
}

/** A service that counts by key, and a warehouse that is filled from it by command lines. */
export interface KeyedLake {
  log: readonly RequestEntry[]
  /** Requests by key, refused ones as well. */
  countOf(key: string): number
  /** Writes coinlake.yaml: these lines of `source`, and a daily chart of all coins. */
  configure(sourceLines: readonly string[]): void
  run(...argv: string[]): Promise<Captured>
  /** Files of the warehouse that hold a text. */
  filesWith(text: string): string[]
}

/** The environment names the n-th key KEY_0, KEY_1, ... */
export async function openKeyedLake(options: KeyedLakeOptions): Promise<KeyedLake> {
  const dir = mkdtempSync(join(tmpdir(), 'coinlake-keyed-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const source = await createSimulatedSource({
    spec: { ...MARKET_PRESETS.tiny, coins: options.coins, seed: 11, nowMs: NOW_MS },
    append: appendArrow,
  })
  const log: RequestEntry[] = []
  const counts = new Map<string, number>()
  const ring = createKeyRing(options.keys)
  const service = createService({
    source,
    operations: Object.values(operations),
    keys: {
      identify(key) {
        const count = (counts.get(key) ?? 0) + 1
        counts.set(key, count)
        return options.admits?.(key, count) === false ? null : ring.identify(key)
      },
    },
    quota: options.quota ?? null,
    log: (entry) => log.push(entry),
  })
  const server = await startService(service, { port: 0 })
  onTestFinished(async () => {
    await server.close()
    await source.close()
  })
  const temporal = inject('temporal')
  const env: Record<string, string | undefined> = {
    HOME: process.env['HOME'],
    XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'],
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
  }
  options.keys.forEach((key, index) => {
    env[`KEY_${index}`] = key
  })
  const warehouse = join(dir, 'warehouse')
  mkdirSync(warehouse)
  return {
    log,
    countOf: (key) => counts.get(key) ?? 0,
    configure: (sourceLines) => {
      const lines = [
        'source:',
        ...[`base_url: "${server.url}"`, ...sourceLines].map((line) => `  ${line}`),
        'datasets:',
        `  market_chart: { coins: top:${options.coins}, granularity: daily, from: 2024-03-20, to: 2024-04-01 }`,
      ]
      writeFileSync(join(dir, 'coinlake.yaml'), `${lines.join('\n')}\n`)
    },
    run: (...argv) => runCaptured(argv, { cwd: dir, env, clock: frozenClock(NOW_MS) }),
    filesWith: (text) =>
      readdirSync(warehouse, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((file) => readFileSync(file).includes(text)),
  }
}
