import { availableParallelism } from 'node:os'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Config } from '../../config/config.ts'
import { InvalidConfigError } from '../../config/config-problem.ts'
import { EXIT } from '../../config/coinlake-error.ts'
import { machineMemoryBytes } from '../../config/machine-memory.ts'
import { missingKeyWarning, requireKey } from '../../config/require-key.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import type { Effects } from '../effects.ts'
import { bytes, callRateText, counted } from '../render/quantities.ts'
import { loadCliConfig } from '../run/load-cli-config.ts'
import { configKeyIds } from '../run/config-keys.ts'
import { isMonthSpent, keyMonths, sumOfRates } from '../run/key-months.ts'
import { livingWorker, type LivingWorker } from '../run/worker-claim.ts'
import { coinlakeVersion } from '../version.ts'
import { doubt, faultOf, fine, skipped, type Finding } from './finding.ts'
import { lookAtDisk } from './look-at-disk.ts'
import { lookAtMonth } from './look-at-month.ts'
import { lookAtPublications } from './look-at-publications.ts'
import { lookAtSource } from './look-at-source.ts'
import { lookAtStore } from './look-at-store.ts'
import { lookAtTemporal } from './look-at-temporal.ts'
import { lookAtWarehouse } from './look-at-warehouse.ts'

/** Checks everything that a run needs, in the order in which a run would fail. */
export async function examine(
  effects: Effects,
  options: Record<string, unknown>,
): Promise<Finding[]> {
  const findings = [await lookAtVersions()]
  const config = readConfig(effects, options, findings)
  if (config === null) {
    const rest = ['key', 'source', 'clock', 'month', 'warehouse', 'disk', 'store']
    return [
      ...findings,
      ...rest.map((about) => skipped(about, 'not checked: correct the configuration first')),
      await lookAtTemporal(effects),
    ]
  }
  const paths = pathsOf(config)
  const worker = livingWorker(config.warehouseDir)
  const key = lookAtKey(config)
  findings.push(key, ...(await sourceFindings(effects, config, key, worker)))
  findings.push(await lookAtTemporal(effects))
  const warehouse = lookAtWarehouse(paths, worker)
  findings.push(warehouse)
  if (warehouse.verdict === 'fault') return findings
  findings.push(await lookAtDisk(paths), await lookAtStore(config, effects.clock, worker))
  findings.push(...(await lookAtPublications(paths, config.sinks)))
  return findings
}

function readConfig(
  effects: Effects,
  options: Record<string, unknown>,
  findings: Finding[],
): Config | null {
  const about = 'config'
  try {
    const config = loadCliConfig(effects, options)
    const names = new Set(config.datasets.map(({ dataset }) => dataset))
    const orders = config.datasets.length
    const inOrders = orders === names.size ? '' : ` in ${counted(orders, 'order')}`
    const places = [...(config.lake === null ? [] : ['the lake']), ...config.sinks].join(', ')
    findings.push(
      fine(about, `${config.file}: ${counted(names.size, 'dataset')}${inOrders}, to ${places}`),
    )
    return config
  } catch (error) {
    if (!(error instanceof InvalidConfigError)) {
      findings.push(faultOf(about, error))
      return null
    }
    for (const { where, what, code, hint } of error.problems) {
      const facts = { what: `${where}: ${what}`, code, hint, exitCode: EXIT.config }
      findings.push({ about, verdict: 'fault', ...facts })
    }
    return null
  }
}

async function sourceFindings(
  effects: Effects,
  config: Config,
  key: Finding,
  worker: LivingWorker | null,
): Promise<Finding[]> {
  const months = await keyMonths(config)
  const keyIds = configKeyIds(config)
  const inUse = worker === null ? [] : (worker.keyIds ?? keyIds)
  let reason: string | null = null
  if (key.verdict === 'fault') reason = 'not checked: correct the key first'
  else if (worker !== null && keyIds.every((keyId) => inUse.includes(keyId))) {
    const rate = sumOfRates(months)
    const learned = rate === null ? '' : ` (${callRateText(rate)}, as learned before)`
    reason = `process ${worker.pid} uses the key just now${learned}, so no call is made`
  } else if (months.every(isMonthSpent)) reason = 'the month has no call left'
  if (reason !== null) {
    const lookedAtMonth = await lookAtMonth(config, months, [])
    return [skipped('source', reason), skipped('clock', reason), lookedAtMonth]
  }
  const { findings, calls } = await lookAtSource(effects, config, months, inUse)
  // Read again, because another process may have counted calls meanwhile.
  return [...findings, await lookAtMonth(config, await keyMonths(config), calls)]
}

/** Shows the running versions, and checks that DuckDB's native code loads on this machine. */
async function lookAtVersions(): Promise<Finding> {
  try {
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const [[duckdb] = []] = (await connection.runAndReadAll('SELECT version()')).getRows()
    connection.closeSync()
    instance.closeSync()
    const machine = `${process.platform} ${process.arch}, ${availableParallelism()} cores, ${bytes(machineMemoryBytes())}`
    const versions = `coinlake ${coinlakeVersion}, Node ${process.version}, DuckDB ${String(duckdb)}`
    return fine('versions', `${versions}; ${machine}`)
  } catch (error) {
    return faultOf('versions', error)
  }
}

const KEY_HINT = 'Set it, or take api_key out of coinlake.yaml where none is meant.'

/** Checks that a key is there. Only the source knows whether it is valid. */
function lookAtKey(config: Config): Finding {
  try {
    const key = requireKey(config)
    const what = missingKeyWarning(config)
    if (what !== null) return doubt('key', { what, code: 'NO_KEY', hint: KEY_HINT })
    return fine('key', key === null ? 'none, and none is needed' : 'there')
  } catch (error) {
    return faultOf('key', error)
  }
}
