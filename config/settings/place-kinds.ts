import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from './forms.ts'
import { BadValue, type Given, type Kind, type RawValue } from './kind.ts'
import { parseText, textKind } from './kinds.ts'

/** Names the folder of DuckDB's extensions, for machines without access to DuckDB's servers. */
const EXTENSIONS_ENV = 'COINLAKE_DUCKDB_EXTENSIONS'
const S3_PLACE_PATTERN = /^s3:\/\/[a-z0-9][a-z0-9.-]+[a-z0-9](?:\/[\w.=-]+)*\/?$/
/** A password in any form that libpq accepts. */
const PASSWORD_PATTERN = /password\s*=|:\/\/[^/@\s:]*:[^/@\s]*@/i

/** The absolute folder of DuckDB's extensions; null = DuckDB gets them itself. */
export function extensionDirOf(env: Given['env']): string | null {
  const dir = env[EXTENSIONS_ENV]?.trim() ?? ''
  return dir === '' ? null : resolve(dir)
}

/** The absolute path of a path: `~` is the home folder, and a relative path counts from `dir`. */
export function pathFrom(dir: string, text: string): string {
  return text === '~' || text.startsWith('~/') ? join(homedir(), text.slice(1)) : resolve(dir, text)
}

/** As `pathFrom`. @throws BadValue for text that is empty or has a reference to the environment */
export function parsePath(value: RawValue, { dir }: Pick<Given, 'dir'>): string {
  return pathFrom(dir, parseText(value))
}

export const path: Kind<string> = { ...text(), parse: parsePath, show: String }

/** A folder as an absolute path, or `s3://bucket/prefix` without a slash at its end. */
export const place = textKind({
  read(text, given) {
    if (!text.includes('://')) return parsePath(text, given)
    return S3_PLACE_PATTERN.test(text) ? text.replace(/\/$/, '') : null
  },
  code: 'CONFIG_BAD_PLACE',
  refusal: 'is neither a folder nor s3://bucket/prefix',
  hint: 'Write a path, or s3://bucket/prefix with letters, digits and . _ = - in the prefix.',
})

/** A place in a bucket, without secrets, because S3's credentials are in the environment. */
export interface BucketConfig {
  /** `s3://bucket/prefix`, without a slash at its end. */
  place: string
  extensionDir: string | null
}

/** A bucket and no folder, because nothing keeps two publishers apart in a shared folder. */
export const bucket = textKind<BucketConfig>({
  read(text, given) {
    if (!text.includes('://')) return null
    return { place: place.parse(text, given), extensionDir: extensionDirOf(given.env) }
  },
  show: (found) => found.place,
  code: 'CONFIG_BAD_PLACE',
  refusal: 'is no s3://bucket/prefix',
  hint: 'Write s3://bucket/prefix, or leave the key out for files in parquet/ of the warehouse.',
})

const catalogText = textKind({
  read(text, given) {
    if (PASSWORD_PATTERN.test(text)) {
      // The message does not show the text, because it has the password.
      throw new BadValue(
        'CONFIG_SECRET_IN_FILE',
        'holds a password',
        'Take it out and put it into PGPASSWORD, or into the file that PGPASSFILE names.',
      )
    }
    if (text.startsWith('postgres:')) return text
    const [, file] = /^sqlite:(.*)$/s.exec(text) ?? []
    return file === undefined ? null : `sqlite:${parsePath(file, given)}`
  },
  code: 'CONFIG_BAD_CATALOG',
  refusal: 'is no catalog',
  hint: 'Write postgres: with the key=value parameters of libpq (postgres:dbname=lake host=db), or sqlite:FILE.',
})

/** A list or a map in its place may have a password, so it counts as a secret. */
export const catalog: Kind<string> = { ...catalogText, isSecret: true }
