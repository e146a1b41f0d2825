import { resolve } from 'node:path'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import type { Effects, Options } from '../effects.ts'
import { existsSync, statSync } from 'node:fs'
import { ConfigError } from '../../config/config-error.ts'
import { pathFrom } from '../../config/settings/place-kinds.ts'

/** That of `--warehouse` (a folder, or a published file), else the configured one. @throws ConfigError */
export async function warehouseToRead(effects: Effects, options: Options): Promise<WarehousePaths> {
  const { pathsOf, warehousePaths } = await import('../../config/warehouse-paths.ts')
  const named = options['warehouse']
  if (typeof named === 'string') return warehousePaths(pathFrom(effects.cwd, named))
  const { readCliConfig } = await import('../run/load-cli-config.ts')
  return pathsOf(readCliConfig(effects, options))
}

/** The absolute paths of `--allow-dir`. @throws ConfigError NO_SUCH_FOLDER */
export function allowedDirs(effects: Effects, options: Options): string[] {
  const named = (options['allowDir'] ?? []) as readonly string[]
  return named.map((dir) => {
    const found = resolve(effects.cwd, dir)
    if (existsSync(found) && statSync(found).isDirectory()) return found
    throw new ConfigError(`--allow-dir ${dir} is no folder that can be read`, {
      code: 'NO_SUCH_FOLDER',
      hint: 'Name the folder that holds the files, not a file in it.',
    })
  })
}
