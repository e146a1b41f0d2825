import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import type { Effects } from '../effects.ts'

/**
 * Folders of `--allow-dir`, absolute.
 *
 * @throws ConfigError NO_SUCH_FOLDER
 */
export function allowedDirs(effects: Effects, options: Record<string, unknown>): string[] {
  const named = (options['allowDir'] ?? []) as readonly string[]
  return named.map((dir) => {
    const found = resolve(effects.cwd, dir)
    if (statSync(found, { throwIfNoEntry: false })?.isDirectory() === true) return found
    throw new ConfigError(`--allow-dir ${dir} is no folder`, {
      code: 'NO_SUCH_FOLDER',
      hint: 'Name the folder that holds the files, not a file in it.',
    })
  })
}
