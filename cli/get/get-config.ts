import { parseConfig } from '../../config/load-config.ts'
import type { Config } from '../../config/config.ts'
import { keyUse } from '../../config/settings/order-settings.ts'
import { datasets } from '../../datasets/index.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import type { Effects, Options } from '../effects.ts'
import { defaultFrom } from '../init/defaults.ts'
import { choiceFlags, textOption } from '../run/choice-flags.ts'

/** Only DuckDB, because the result is read from the store's copy. */
const FILE = 'sinks: [duckdb]\n'

/** The flags replace the file. @throws InvalidConfigError whose problems name the flags */
export function getConfig(
  effects: Effects,
  chosen: readonly Dataset[],
  options: Options,
  warehouse: string,
): Config {
  const chosenFlags = choiceFlags(options)
  const profile = textOption(options, 'profile')
  const isHistory = chosen.some((dataset) => keyUse(dataset, 'from') === 'required')
  const start = defaultFrom(effects.clock.nowMs(), profile ?? effects.env['COINLAKE_PROFILE'])
  // The default is of no use to a history that ends before it.
  const isOfUse = isHistory && (chosenFlags.to === undefined || start < chosenFlags.to)
  const flags = {
    profile,
    baseUrl: textOption(options, 'baseUrl'),
    warehouse,
    datasets: chosen.map(({ name }) => name),
    ...chosenFlags,
    from: chosenFlags.from ?? (isOfUse ? start : undefined),
  }
  const { env, cwd } = effects
  return parseConfig({ file: 'coinlake get', flags, env, datasets, cwd }, FILE)
}
