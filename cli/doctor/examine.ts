import { availableParallelism } from 'node:os'
import { version } from '@duckdb/node-api'
import type { Clock } from '../../config/clock.ts'
import type { Config } from '../../config/config.ts'
import { InvalidConfigError } from '../../config/config-problem.ts'
import { EXIT } from '../../config/coinlake-error.ts'
import { machineMemoryBytes } from '../../config/machine-memory.ts'
import { missingKeyWarning, requireKeys } from '../../config/require-key.ts'
import { wantedFromConfig } from '../../config/wanted.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import { datasets } from '../../datasets/index.ts'
import type { Effects, Options } from '../effects.ts'
import { bytes, counted } from '../render/quantities.ts'
import { loadCliConfig } from '../run/load-cli-config.ts'
import { livingWorker } from '../run/worker-claim.ts'
import { coinlakeVersion } from '../version.ts'
import {
  doubt,
  fault,
  faultOf,
  findingOf,
  fine,
  skipped,
  type Finding,
  type CheckResult,
} from './finding.ts'
import { lookAtDisk, lookAtFolder } from './look-at-folder.ts'
import { lookAtMonth } from './look-at-month.ts'
import { lookAtPublications } from './look-at-publications.ts'
import { lookAtSource } from './look-at-source.ts'
import { lookAtStore } from './look-at-store.ts'
import { lookAtTemporal } from './look-at-temporal.ts'

/** Checks everything that a run needs, in the order in which a run would fail. */
export async function examine(effects: Effects, options: Options): Promise<Finding[]> {
  const versions = await findingOf('versions', lookAtVersions)
  const temporal = findingOf('temporal', () => lookAtTemporal(effects))
  let config: Config
  try {
    config = loadCliConfig(effects, options)
  } catch (error) {
    const rest = ['key', 'source', 'clock', 'month', 'warehouse', 'disk', 'store'].map((about) => ({
      about,
      ...skipped('not checked: correct the configuration first'),
    }))
    return [versions, ...configFaults(error), ...rest, await temporal]
  }
  const paths = pathsOf(config)
  const worker = livingWorker(config.warehouseDir)
  const key = await findingOf('key', () => lookAtKey(config))
  const source =
    key.verdict === 'fault'
      ? { findings: ['source', 'clock'].map(afterKey), calls: [] }
      : await lookAtSource(effects, config, worker)
  const month = await findingOf('month', () => lookAtMonth(config, source.calls))
  const folder = await findingOf('warehouse', () => lookAtFolder(paths, worker))
  const findings = [
    versions,
    { about: 'config', ...lookAtConfig(config) },
    ...incompleteOrders(config, effects.clock),
    key,
    ...source.findings,
    month,
    await temporal,
    folder,
  ]
  if (folder.verdict === 'fault') return findings
  return [
    ...findings,
    await findingOf('disk', () => lookAtDisk(paths)),
    await findingOf('store', () => lookAtStore(config, effects.clock, worker)),
    ...(await lookAtPublications(paths, config.sinks)),
  ]
}

/** Shows the running versions, and checks that DuckDB's native code loads on this machine. */
function lookAtVersions(): CheckResult {
  const machine = `${process.platform} ${process.arch}, ${availableParallelism()} cores, ${bytes(machineMemoryBytes())}`
  const versions = `coinlake ${coinlakeVersion}, Node ${process.version}, DuckDB ${version()}`
  return fine(`${versions}; ${machine}`)
}

function lookAtConfig({ file, datasets: ordered, lake, sinks }: Config): CheckResult {
  const names = new Set(ordered.map(({ dataset }) => dataset))
  const orders = ordered.length
  const inOrders = orders === names.size ? '' : ` in ${counted(orders, 'order')}`
  const places = [...(lake === null ? [] : ['the lake']), ...sinks].join(', ')
  return fine(`${file}: ${counted(names.size, 'dataset')}${inOrders}, to ${places}`)
}

/** Orders that lack a setting: flags can give it to a run, but not to a schedule. */
function incompleteOrders(config: Config, clock: Clock): Finding[] {
  try {
    if (config.datasets.length > 0) wantedFromConfig(config, datasets, clock)
    return []
  } catch (error) {
    return configFaults(error).map((found) => ({ ...found, verdict: 'warning', exitCode: null }))
  }
}

/** A finding for each problem of the configuration. */
function configFaults(error: unknown): Finding[] {
  const faults =
    error instanceof InvalidConfigError
      ? error.problems.map(({ where, what, code, hint }) =>
          fault({ what: `${where}: ${what}`, code, hint }, EXIT.config),
        )
      : [faultOf(error)]
  return faults.map((look) => ({ about: 'config', ...look }))
}

const KEY_HINT = 'Set it, or take api_key out of coinlake.yaml where none is meant.'

/** Checks that a key is there. Only the source knows whether it is valid. */
function lookAtKey(config: Config): CheckResult {
  const [key = null] = requireKeys(config)
  const what = missingKeyWarning(config)
  if (what !== null) return doubt({ what, code: 'NO_KEY', hint: KEY_HINT })
  return fine(key === null ? 'none, and none is needed' : 'there')
}

function afterKey(about: string): Finding {
  return { about, ...skipped('not checked: correct the key first') }
}
