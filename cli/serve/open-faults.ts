import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { didYouMean } from '../../config/values/did-you-mean.ts'
import { FAULT_PRESET_NAMES } from '../../service/faults/fault-preset-names.ts'
import type { FaultOrder } from '../../service/faults/fault-order.ts'
import type { Effects } from '../effects.ts'
import { wholeNumber } from './serve-options.ts'

export interface OpenFaults {
  faults: readonly FaultOrder[]
  /** '' = no faults. */
  about: string
}

/**
 * The faults of `--faults`, a preset or a file, with the seed of `--fault-seed`. A preset comes before a file of the
 * same name; a path such as `./mild` names the file.
 *
 * @throws ConfigError SERVE_OPTION, FAULTS_FILE; InvalidConfigError for errors in the file
 */
export async function openFaults(
  effects: Effects,
  options: Record<string, unknown>,
): Promise<OpenFaults> {
  const { faults: named, faultSeed } = options
  const seed = wholeNumber('fault-seed', typeof faultSeed === 'string' ? faultSeed : '1')
  if (typeof named !== 'string') return { faults: [], about: '' }
  const preset = FAULT_PRESET_NAMES.find((name) => name === named)
  const about = `with faults on purpose (${named}, seed ${seed})`
  if (preset !== undefined) {
    const { presetFaults } = await import('../../service/faults/fault-presets.ts')
    return { faults: presetFaults(preset, seed), about }
  }
  const { readFaults } = await import('../../service/faults/read-faults.ts')
  return { faults: readFaults(named, readText(effects, named), seed), about }
}

function readText(effects: Effects, file: string): string {
  try {
    return readFileSync(resolve(effects.cwd, file), 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const meant = didYouMean(file, FAULT_PRESET_NAMES)
    const presets = `The presets are ${FAULT_PRESET_NAMES.join(', ')}; docs/faults.md describes the file.`
    throw new ConfigError(`the file of faults ${file} cannot be read (${code})`, {
      code: 'FAULTS_FILE',
      hint: meant === null ? presets : `Did you mean the preset \`${meant}\`?`,
      cause,
    })
  }
}
