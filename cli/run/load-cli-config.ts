import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import { ConfigError } from '../../config/config-error.ts'
import type { ConfigFlags } from '../../config/config-flags.ts'
import { configWithoutFile, DEFAULT_CONFIG_FILE, loadConfig } from '../../config/load-config.ts'
import { datasets } from '../../datasets/index.ts'
import { say, type Effects, type Options } from '../effects.ts'
import { choiceFlags, namesOption, textOption } from './choice-flags.ts'

const OTHERS_WRITE = 0o002

/**
 * The configuration of a command: the file of `--config`, the environment, and the flags of `addWantedOptions`. Prints
 * the notes of the configuration. A named warehouse needs no file.
 *
 * @throws ConfigError with all problems; WAREHOUSE_IS_FILE
 */
export function loadCliConfig(effects: Effects, options: Options): Config {
  const config = readCliConfig(effects, options)
  refuseFile(config.warehouseDir)
  return config
}

/** As loadCliConfig, for commands that only read: their warehouse may be a published file. */
export function readCliConfig(effects: Effects, options: Options): Config {
  const warehouse = textOption(options, 'warehouse')
  const flags: ConfigFlags = {
    warehouse,
    datasets: namesOption(options, 'dataset'),
    ...choiceFlags(options),
    log: textOption(options, 'log'),
  }
  const { env, cwd } = effects
  const named = textOption(options, 'config')
  const file = findUpwards(named ?? DEFAULT_CONFIG_FILE, cwd)
  const isBare = warehouse !== undefined && named === undefined && !existsSync(join(cwd, file))
  const load = isBare ? configWithoutFile : loadConfig
  const config = load({ file, flags, env, datasets, cwd })
  for (const note of config.notes) say(effects, `note: ${note}`)
  return config
}

/** @throws ConfigError WAREHOUSE_IS_FILE */
function refuseFile(path: string): void {
  if (!existsSync(path) || statSync(path).isDirectory()) return
  throw new ConfigError(`${path} is a file, not a warehouse`, {
    code: 'WAREHOUSE_IS_FILE',
    hint: 'Name the folder of a warehouse with --warehouse, or with `warehouse:` in coinlake.yaml.',
  })
}

/**
 * The default file in this folder, else in the nearest folder above. A file above that other users can write is not
 * used, because its service would get the key.
 */
function findUpwards(file: string, cwd: string): string {
  if (file !== DEFAULT_CONFIG_FILE) return file
  for (let dir = resolve(cwd); ; dir = dirname(dir)) {
    const isHere = dir === resolve(cwd)
    if (existsSync(join(dir, file)) && (isHere || isOurs(dir, file)))
      return relative(resolve(cwd), join(dir, file))
    if (dir === dirname(dir)) return file
  }
}

/** Whether a file belongs to this user or to root, and nobody else can write it. */
function isOurs(dir: string, file: string): boolean {
  const owners = [0, process.getuid?.() ?? 0]
  const places = [statSync(dir), statSync(join(dir, file))]
  return places.every(({ uid, mode }) => owners.includes(uid) && (mode & OTHERS_WRITE) === 0)
}
