import { resolve } from 'node:path'
import type { Effects } from '../effects.ts'

/**
 * The warehouse that a reading command means: `--warehouse` (a folder, or a published file), else the
 * one of the configuration.
 *
 * @throws ConfigError when the configuration is asked and is wrong
 */
export async function warehouseRoot(
  effects: Effects,
  options: Record<string, unknown>,
): Promise<string> {
  const named = options['warehouse']
  if (typeof named === 'string') return resolve(effects.cwd, named)
  const { loadCliConfig } = await import('../run/load-cli-config.ts')
  return loadCliConfig(effects, options).warehouseDir
}
