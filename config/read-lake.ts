import { resolve } from 'node:path'
import type { LakeConfig } from './lake.ts'
import { parsePath } from './parse-path.ts'
import { parseText } from './parse-values.ts'
import type { ConfigDocument } from './schema.ts'
import { BadValue, type RawValue, type SettingReader } from './setting-reader.ts'

/** Where DuckDB's extensions are, for machines that reach no server of DuckDB. */
const EXTENSIONS_ENV = 'COINLAKE_DUCKDB_EXTENSIONS'
const S3_PLACE = /^s3:\/\/[a-z0-9][a-z0-9.-]+[a-z0-9](?:\/[\w.=-]+)*\/?$/
/** A password in any way that libpq takes one. */
const PASSWORD = /password\s*=|:\/\/[^/@\s:]*:[^/@\s]*@/i

/** The section `store`; null = the DuckDB file of the warehouse. */
export function readLake(
  reader: SettingReader,
  document: ConfigDocument,
  baseDir: string,
): LakeConfig | null {
  const inFile = document.store?.ducklake
  if (inFile === undefined) return null
  return {
    catalog: reader.read<string>({
      path: ['store', 'ducklake', 'catalog'],
      inFile: inFile.catalog,
      fallback: '',
      parse: (value) => parseCatalog(value, baseDir),
      show: String,
    }),
    data: reader.read<string>({
      path: ['store', 'ducklake', 'data'],
      inFile: inFile.data,
      fallback: '',
      parse: (value) => parsePlace(value, baseDir),
      show: String,
    }),
    extensionDir: extensionDirOf(reader.env),
  }
}

/** Absolute; null = DuckDB finds its extensions itself. */
export function extensionDirOf(env: SettingReader['env']): string | null {
  const dir = env[EXTENSIONS_ENV]?.trim() ?? ''
  return dir === '' ? null : resolve(dir)
}

/** A folder as an absolute path, or `s3://bucket/prefix` without a slash at its end. @throws BadValue */
export function parsePlace(value: RawValue, baseDir: string): string {
  const text = parseText(value)
  if (!text.includes('://')) return parsePath(text, baseDir)
  if (S3_PLACE.test(text)) return text.replace(/\/$/, '')
  throw new BadValue(
    'CONFIG_BAD_PLACE',
    `is neither a folder nor s3://bucket/prefix: ${JSON.stringify(text)}`,
    'Write a path, or s3://bucket/prefix with letters, digits and . _ = - in the prefix.',
  )
}

function parseCatalog(value: RawValue, baseDir: string): string {
  const text = parseText(value)
  if (PASSWORD.test(text)) {
    // Not shown: it is the secret.
    throw new BadValue(
      'CONFIG_SECRET_IN_FILE',
      'holds a password',
      'Take it out and put it into PGPASSWORD, or into the file that PGPASSFILE names.',
    )
  }
  if (text.startsWith('postgres:')) return text
  if (text.startsWith('sqlite:'))
    return `sqlite:${parsePath(text.slice('sqlite:'.length), baseDir)}`
  throw new BadValue(
    'CONFIG_BAD_CATALOG',
    `is no catalog: ${JSON.stringify(text)}`,
    'Write postgres: with the words of libpq (postgres:dbname=lake host=db), or sqlite:FILE.',
  )
}
