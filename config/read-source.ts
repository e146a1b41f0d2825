import { parseBaseUrl } from './base-url.ts'
import type { ConfigFlags } from './config-flags.ts'
import type { SourceConfig } from './config.ts'
import { formatDuration } from './duration.ts'
import { parsePath } from './parse-path.ts'
import { parseDuration, parseSize, parseWord } from './parse-values.ts'
import { profiles, type ProfileName, type Rate } from './profiles.ts'
import { monthlyReserve } from './monthly-reserve.ts'
import { readApiKeys } from './read-api-keys.ts'
import type { ConfigDocument } from './schema.ts'
import type { SettingReader } from './setting-reader.ts'
import { DEFAULT_MAX_BODY_BYTES, formatSize } from './size.ts'

/** A service that takes longer for a page of 250 coins is down. */
const DEFAULT_TIMEOUT_MS = 30_000
/**
 * Enough for 8 calls a second (500 a minute) when an answer and its way through the server take two
 * seconds; half of it left a sixth of that limit unused on a busy machine. The pacer keeps the rate.
 */
const DEFAULT_CONCURRENCY = 16

const profileNames = Object.keys(profiles) as ProfileName[]

/** The `source` section, over which flags and environment stand. */
export function readSource(
  reader: SettingReader,
  document: ConfigDocument,
  flags: ConfigFlags,
  baseDir: string,
): SourceConfig {
  const inFile = document.source ?? {}
  const profileName = reader.read<ProfileName>({
    path: ['source', 'profile'],
    flag: { name: 'profile', value: flags.profile },
    env: 'COINLAKE_PROFILE',
    inFile: inFile.profile,
    fallback: 'interface',
    parse: (value) => parseWord(value, profileNames, 'CONFIG_UNKNOWN_PROFILE'),
    show: String,
  })
  const profile = profiles[profileName]
  const baseUrl = reader.read<string>({
    path: ['source', 'base_url'],
    flag: { name: 'base-url', value: flags.baseUrl },
    env: 'COINLAKE_BASE_URL',
    inFile: inFile.base_url,
    fallback: profile.defaultBaseUrl ?? '',
    parse: (value) => parseBaseUrl(value, profile),
    show: String,
  })
  if (isMissing(reader, baseUrl)) {
    reader.report({
      where: reader.whereOf(['source']),
      code: 'CONFIG_NO_BASE_URL',
      what: `source.base_url is missing: the profile ${profileName} has no address of its own`,
      hint: 'Write source.base_url, set COINLAKE_BASE_URL or pass --base-url.',
    })
  }
  return {
    profile,
    baseUrl,
    ...readApiKeys(reader, inFile, baseDir),
    rate: readRate(reader, inFile.rate, profile.rate),
    ...readMonth(reader, inFile, profile.monthlyCalls),
    maxHistoryDays: readNumber(reader, 'max_history_days', inFile, profile.maxHistoryDays),
    timeoutMs: reader.read({
      path: ['source', 'timeout'],
      inFile: inFile.timeout,
      fallback: DEFAULT_TIMEOUT_MS,
      parse: parseDuration,
      show: formatDuration,
    }),
    caFile: reader.read<string | null>({
      path: ['source', 'ca_file'],
      inFile: inFile.ca_file,
      fallback: null,
      parse: (value) => parsePath(value, baseDir),
      show: (value) => value ?? 'none',
    }),
    maxBodyBytes: reader.read({
      path: ['source', 'max_body'],
      inFile: inFile.max_body,
      fallback: DEFAULT_MAX_BODY_BYTES,
      parse: parseSize,
      show: formatSize,
    }),
    concurrency: reader.read({
      path: ['source', 'concurrency'],
      inFile: inFile.concurrency,
      fallback: DEFAULT_CONCURRENCY,
      parse: Number,
      show: String,
    }),
  }
}

/** Not said, although the profile that needs it is known; a wrong text was reported already. */
function isMissing(reader: SettingReader, baseUrl: string): boolean {
  const isRead = ['profile', 'base_url'].every((key) => {
    return !reader.isBroken(['source', key]) && reader.settings[`source.${key}`] !== undefined
  })
  return isRead && baseUrl === ''
}

type SourceInFile = NonNullable<ConfigDocument['source']>

function readNumber(
  reader: SettingReader,
  key: 'monthly_calls' | 'max_history_days',
  inFile: SourceInFile,
  fallback: number | null,
): number | null {
  return reader.read<number | null>({
    path: ['source', key],
    inFile: inFile[key],
    fallback,
    parse: Number,
    show: (value) => String(value ?? 'none'),
  })
}

function readMonth(
  reader: SettingReader,
  inFile: SourceInFile,
  known: number | null,
): Pick<SourceConfig, 'monthlyCalls' | 'monthlyReserve'> {
  const monthlyCalls = readNumber(reader, 'monthly_calls', inFile, known)
  const path = ['source', 'monthly_reserve'] as const
  const reserve = reader.read<number | null>({
    path,
    inFile: inFile.monthly_reserve,
    fallback: null,
    parse: Number,
    show: (value) => {
      if (monthlyCalls === null || value !== null) return String(value ?? 'none')
      return `${monthlyReserve(null, monthlyCalls)}, or what schedules need`
    },
  })
  if (monthlyCalls !== null && reserve !== null && reserve >= monthlyCalls) {
    reader.report({
      where: reader.whereOf(path),
      code: 'CONFIG_CONFLICT',
      what: `source.monthly_reserve (${reserve}) leaves nothing of source.monthly_calls (${monthlyCalls}) to a backfill`,
      hint: 'Make it smaller than monthly_calls.',
    })
  }
  return { monthlyCalls, monthlyReserve: reserve }
}

function readRate(
  reader: SettingReader,
  inFile: { calls: number; per: string } | undefined,
  known: Rate | null,
): Rate | null {
  const perMs = reader.read<number | null>({
    path: ['source', 'rate', 'per'],
    inFile: inFile?.per,
    fallback: known?.perMs ?? null,
    parse: parseDuration,
    show: (value) => (value === null ? 'learned from headers' : formatDuration(value)),
  })
  const calls = reader.read<number | null>({
    path: ['source', 'rate', 'calls'],
    inFile: inFile?.calls,
    fallback: known?.calls ?? null,
    parse: Number,
    show: (value) => String(value ?? 'learned from headers'),
  })
  return calls === null || perMs === null ? null : { calls, perMs }
}
