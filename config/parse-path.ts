import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseText } from './parse-values.ts'
import type { RawValue } from './setting-reader.ts'

/**
 * A path as an absolute one: `~` is the home folder, and a relative path counts from `dir`.
 *
 * @throws BadValue
 */
export function parsePath(value: RawValue, dir: string): string {
  const text = parseText(value)
  return text === '~' || text.startsWith('~/') ? join(homedir(), text.slice(1)) : resolve(dir, text)
}
