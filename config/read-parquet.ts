import type { BucketConfig } from './bucket.ts'
import type { Config } from './config.ts'
import { parseText, parseWord } from './parse-values.ts'
import { extensionDirOf, parsePlace } from './read-lake.ts'
import type { ConfigDocument } from './schema.ts'
import { BadValue, type RawValue, type SettingReader } from './setting-reader.ts'

/** The section `parquet`. */
export function readParquet(
  reader: SettingReader,
  document: ConfigDocument,
): Pick<Config, 'parquetVersion' | 'parquetBucket'> {
  const extensionDir = extensionDirOf(reader.env)
  return {
    parquetVersion: reader.read<'v1' | 'v2'>({
      path: ['parquet', 'version'],
      inFile: document.parquet?.version,
      fallback: 'v2',
      parse: (value) => parseWord(value, ['v1', 'v2'], 'CONFIG_BAD_VALUE'),
      show: String,
    }),
    parquetBucket: reader.read<BucketConfig | null>({
      path: ['parquet', 'at'],
      inFile: document.parquet?.at,
      fallback: null,
      parse: (value) => ({ place: parseBucket(value), extensionDir }),
      show: (bucket) => bucket?.place ?? 'in the warehouse',
    }),
  }
}

/** Only a bucket: in a folder that several share nobody keeps two publishers apart. */
function parseBucket(value: RawValue): string {
  const text = parseText(value)
  if (text.includes('://')) return parsePlace(value, '')
  throw new BadValue(
    'CONFIG_BAD_PLACE',
    `is no s3://bucket/prefix: ${JSON.stringify(text)}`,
    'Write s3://bucket/prefix, or leave it out: the files are in parquet/ of the warehouse then.',
  )
}
