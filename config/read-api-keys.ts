import { readFileSync } from 'node:fs'
import { envReference } from './env-reference.ts'
import { parsePath } from './parse-path.ts'
import { Secret } from './secret.ts'
import { BadValue, type SettingReader } from './setting-reader.ts'

const KEY_ENV = 'COINLAKE_API_KEY'

/** What the file says of keys: one of them as text or file, or several. */
interface KeysInFile {
  api_key?: string | undefined
  api_key_file?: string | undefined
  api_keys?: string[] | undefined
  api_key_files?: string[] | undefined
}

/** All keys that were found, and why one that was named is not among them. */
interface ReadKeys {
  apiKeys: readonly Secret[]
  keyMissing: string | null
}

/**
 * The key from COINLAKE_API_KEY, or what the file names: `api_key` (`${NAME}` or, for those who insist,
 * the key itself), `api_key_file`, or several with `api_keys` and `api_key_files`. A key that was named
 * and is not there is told as `keyMissing` and is no problem yet: only commands that fetch need one.
 */
export function readApiKeys(reader: SettingReader, inFile: KeysInFile, baseDir: string): ReadKeys {
  reportConflict(reader, inFile)
  let keyMissing: string | null = null
  const fromText = (value: string): Secret | null => {
    const text = value.trim()
    const name = envReference(text)
    if (name === null) return checkedKey(text)
    const found = reader.env[name]?.trim() ?? ''
    if (found !== '') return checkedKey(found)
    keyMissing ??= `env ${name} is ${reader.env[name] === undefined ? 'not set' : 'empty'}`
    return null
  }
  const fromFile = (value: string): Secret | null => {
    const file = parsePath(value, baseDir)
    try {
      const text = readFileSync(file, 'utf8').trim()
      if (text !== '') return checkedKey(text)
      keyMissing ??= `${file} is empty`
    } catch (error) {
      if (error instanceof BadValue) throw error
      keyMissing ??= `${file} cannot be read (${(error as NodeJS.ErrnoException).code})`
    }
    return null
  }
  const one = reader.read<Secret | null>({
    path: ['source', 'api_key'],
    env: KEY_ENV,
    inFile: inFile.api_key,
    fallback: null,
    show: (key) => (key === null ? shownNone(keyMissing) : String(key)),
    parse: (value, by) =>
      by === 'env' ? checkedKey(String(value).trim()) : fromText(String(value)),
  })
  if (one !== null) return { apiKeys: [one], keyMissing }
  if (inFile.api_key_file !== undefined) {
    const filed = reader.read<Secret | null>({
      path: ['source', 'api_key_file'],
      inFile: inFile.api_key_file,
      fallback: null,
      show: (key) => (key === null ? shownNone(keyMissing) : String(key)),
      parse: (value) => fromFile(String(value)),
    })
    return { apiKeys: filed === null ? [] : [filed], keyMissing }
  }
  const several = (
    key: 'api_keys' | 'api_key_files',
    toKey: typeof fromText,
  ): readonly Secret[] => {
    if (inFile[key] === undefined) return []
    return reader.read<readonly Secret[]>({
      path: ['source', key],
      inFile: inFile[key],
      fallback: [],
      show: (keys) => (keyMissing === null ? keys.map(String).join(', ') : shownNone(keyMissing)),
      parse: (value) => [value].flat().flatMap((item) => toKey(String(item)) ?? []),
    })
  }
  const apiKeys = [...several('api_keys', fromText), ...several('api_key_files', fromFile)]
  reportTwice(reader, apiKeys)
  return { apiKeys, keyMissing }
}

function shownNone(keyMissing: string | null): string {
  return keyMissing === null ? 'none' : `none (${keyMissing})`
}

/** One key or several, and one in one way. */
function reportConflict(reader: SettingReader, inFile: KeysInFile): void {
  const named = (['api_key', 'api_key_file', 'api_keys', 'api_key_files'] as const).filter(
    (key) => inFile[key] !== undefined,
  )
  const second = named[1]
  if (second === undefined || named[0] === 'api_keys') return
  reader.report({
    where: reader.whereOf(['source', second]),
    code: 'CONFIG_CONFLICT',
    what: `source.${named[0]} and source.${second} are both there`,
    hint: 'Keep one of them; several keys go into api_keys and api_key_files.',
  })
}

/** The same key twice would be taken for twice its rate. */
function reportTwice(reader: SettingReader, keys: readonly Secret[]): void {
  if (new Set(keys.map((key) => key.reveal())).size === keys.length) return
  reader.report({
    where: reader.whereOf(['source', 'api_keys']),
    code: 'CONFIG_CONFLICT',
    what: 'source.api_keys and source.api_key_files hold the same key twice',
    hint: 'Name each key once: a rate and a month belong to a key.',
  })
}

/** A key travels in a header: visible ASCII in one word. The message never shows it. */
function checkedKey(text: string): Secret {
  if (text.includes('${')) {
    throw new BadValue(
      'CONFIG_SUBSTITUTION',
      'mixes text and ${...}',
      'Write ${NAME} alone: the environment variable holds the whole key.',
    )
  }
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new BadValue(
      'CONFIG_BAD_KEY',
      'is empty or holds blanks or characters that cannot stand in an HTTP header',
      'Copy the key again, without blanks and line breaks.',
    )
  }
  return new Secret(text)
}
