import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Secret } from './secret.ts'
import { BadValue, type SettingReader } from './setting-reader.ts'

const KEY_ENV = 'COINLAKE_API_KEY'
const KEY_PATH = ['source', 'api_key'] as const
const KEY_FILE_PATH = ['source', 'api_key_file'] as const
const inEnvironment = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/

/**
 * The key from COINLAKE_API_KEY, from the file's `api_key` (`${NAME}` or, for those who insist, the
 * key itself), or from `api_key_file`. A key that was named and is not there is told as `keyMissing`
 * and is no problem yet: only commands that fetch need one.
 */
export function readApiKey(
  reader: SettingReader,
  inFile: { api_key?: string | undefined; api_key_file?: string | undefined },
  baseDir: string,
): { apiKey: Secret | null; keyMissing: string | null } {
  let keyMissing: string | null = null
  if (inFile.api_key !== undefined && inFile.api_key_file !== undefined) {
    reader.report({
      where: reader.whereOf(KEY_FILE_PATH),
      code: 'CONFIG_CONFLICT',
      what: 'source.api_key and source.api_key_file are both there',
      hint: 'Keep one of them.',
    })
  }
  const show = (key: Secret | null): string => {
    if (key !== null) return String(key)
    return keyMissing === null ? 'none' : `none (${keyMissing})`
  }
  const fromValue = reader.read<Secret | null>({
    path: KEY_PATH,
    env: KEY_ENV,
    inFile: inFile.api_key,
    fallback: null,
    show,
    parse(value, givenBy) {
      const text = String(value).trim()
      const name = givenBy === 'file' ? inEnvironment.exec(text)?.[1] : undefined
      if (name === undefined) return checkedKey(text)
      const found = reader.env[name]?.trim() ?? ''
      if (found !== '') return checkedKey(found)
      keyMissing = `env ${name} is ${reader.env[name] === undefined ? 'not set' : 'empty'}`
      return null
    },
  })
  if (fromValue !== null || inFile.api_key_file === undefined)
    return { apiKey: fromValue, keyMissing }
  const file = resolve(baseDir, inFile.api_key_file)
  const fromFile = reader.read<Secret | null>({
    path: KEY_FILE_PATH,
    inFile: inFile.api_key_file,
    fallback: null,
    show,
    parse() {
      try {
        const text = readFileSync(file, 'utf8').trim()
        if (text !== '') return checkedKey(text)
        keyMissing = `${file} is empty`
      } catch (error) {
        if (error instanceof BadValue) throw error
        keyMissing = `${file} cannot be read (${(error as NodeJS.ErrnoException).code})`
      }
      return null
    },
  })
  return { apiKey: fromFile, keyMissing }
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
