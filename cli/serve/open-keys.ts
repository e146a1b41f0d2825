import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { fileKeyRing } from '../../service/callers/file-key-ring.ts'
import { createKeyRing, joinKeyRings, type KeyRing } from '../../service/callers/key-ring.ts'
import { DEFAULT_KEY_FILE } from '../commands/keys.ts'
import type { Effects, Options } from '../effects.ts'
import { textOption } from '../run/choice-flags.ts'
import { readNamedFile } from './serve-options.ts'

/** The variable with keys of the service. No flag has them, because `ps` would show it. */
const KEY_ENV = 'COINLAKE_SERVE_KEY'

/**
 * The keys from the file of `coinlake keys` (named or default), and from a plain file or the environment.
 *
 * @returns `keys` null: no key is needed
 * @throws ConfigError KEYS_FILE or SERVE_KEY_FILE
 */
export function openKeys(
  effects: Effects,
  options: Options,
): { keys: KeyRing | null; about: string } {
  const rings: KeyRing[] = []
  const places: string[] = []
  const named = textOption(options, 'keys')
  const file = resolve(effects.cwd, named ?? DEFAULT_KEY_FILE)
  if (existsSync(file)) {
    rings.push(fileKeyRing(file))
    places.push(file)
  } else if (named !== undefined) {
    throw new ConfigError(`there is no key file ${named}`, {
      code: 'KEYS_FILE',
      hint: `Make the first key: coinlake keys create <name> --keys ${named}`,
    })
  }
  const plain = plainKeys(effects, textOption(options, 'keyFile'))
  if (plain !== null) {
    rings.push(createKeyRing(plain.keys))
    places.push(plain.place)
  }
  if (rings.length === 0) return { keys: null, about: 'open to this machine: no key is needed' }
  return { keys: joinKeyRings(rings), about: `keys: ${places.join(', ')}` }
}

/**
 * The keys, one a line, from the file, else from COINLAKE_SERVE_KEY; null = neither is given.
 *
 * @throws ConfigError SERVE_KEY_FILE, also for a place without a key
 */
function plainKeys(
  effects: Effects,
  file: string | undefined,
): { keys: string[]; place: string } | null {
  const code = 'SERVE_KEY_FILE'
  const what = 'the key file'
  const hint = 'Name a text file with one key a line.'
  const text =
    file === undefined ? effects.env[KEY_ENV] : readNamedFile(effects, file, { what, code, hint })
  if (text === undefined) return null
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const keys = lines.filter((line) => line !== '')
  const place = file ?? KEY_ENV
  if (keys.length > 0) return { keys, place }
  throw new ConfigError(`${place} holds no key`, {
    code,
    hint: 'Write one key a line, or leave it out for an open service.',
  })
}
