import { FAULT_PRESET_NAMES } from '../../service/faults/fault-preset-names.ts'
import type { FaultOrder } from '../../service/faults/fault-order.ts'
import type { Effects, Options } from '../effects.ts'
import { textOption } from '../run/choice-flags.ts'
import { readNamedFile, wholeNumber } from './serve-options.ts'

/**
 * The faults of `--faults`, a preset or a file, with the seed of `--fault-seed`. A preset comes before a file of the
 * same name; a path such as `./mild` names the file.
 *
 * @returns `about` '': no faults
 * @throws ConfigError SERVE_OPTION, FAULTS_FILE; InvalidConfigError for errors in the file
 */
export async function openFaults(
  effects: Effects,
  options: Options,
): Promise<{ faults: readonly FaultOrder[]; about: string }> {
  const seed = wholeNumber('fault-seed', String(options['faultSeed']))
  const named = textOption(options, 'faults')
  if (named === undefined) return { faults: [], about: '' }
  const about = `with faults on purpose (${named}, seed ${seed})`
  const preset = FAULT_PRESET_NAMES.find((name) => name === named)
  if (preset !== undefined) {
    const { presetFaults } = await import('../../service/faults/fault-presets.ts')
    return { faults: presetFaults(preset, seed), about }
  }
  const { readFaults } = await import('../../service/faults/read-faults.ts')
  const text = readNamedFile(effects, named, {
    what: 'the file of faults',
    code: 'FAULTS_FILE',
    hint: `The presets are ${FAULT_PRESET_NAMES.join(', ')}; docs/faults.md describes the file.`,
  })
  return { faults: readFaults(named, text, seed), about }
}
