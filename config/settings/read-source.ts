import { parseBaseUrl } from '../base-url.ts'
import { reserveFromSettings } from '../reserve-from-settings.ts'
import { profiles, type CallRate, type Profile } from '../profiles.ts'
import { Secret } from '../values/secret.ts'
import type { MissingSecret } from './secret-kinds.ts'
import type { Values } from './setting.ts'
import type { SettingReader } from './setting-reader.ts'
import { addressRows, keyRows, rateRows, sourceRows } from './source-settings.ts'

/** The section `source`, with the values of its profile. */
export interface SourceConfig extends Values<typeof sourceRows> {
  profile: Profile
  baseUrl: string
  /** The keys, each with its own rate and month; empty = none was found. */
  apiKeys: readonly Secret[]
  /** The reason why a named key is missing, e.g. `env COINLAKE_API_KEY is not set`; null = none is missing. */
  keyMissing: string | null
  /** The rate of each key, from the file or the profile; null = learned from headers. */
  rate: CallRate | null
}

const PATH = ['source']

/** Reads the section `source`. The profile supplies missing values. */
export function readSource(reader: SettingReader): SourceConfig {
  const profile = profiles[reader.read(addressRows.profile, PATH)]
  const baseUrl = reader.read(addressRows.baseUrl, PATH, {
    fallback: profile.defaultBaseUrl,
    parse: (value) => parseBaseUrl(value, profile),
    show: (url) => url ?? '',
  })
  if (baseUrl === null) reportNoAddress(reader, profile)
  const { monthlyCalls: ceiling, ...rows } = sourceRows
  const monthlyCalls = reader.read(ceiling, PATH, { fallback: profile.monthlyCalls })
  const { perMs, calls } = reader.readAll(rateRows, [...PATH, 'rate'], {
    perMs: { fallback: profile.rate?.perMs ?? null },
    calls: { fallback: profile.rate?.calls ?? null },
  })
  const values = reader.readAll(rows, PATH, {
    maxHistoryDays: { fallback: profile.maxHistoryDays },
    monthlyReserve: {
      show(reserve) {
        if (monthlyCalls === null || reserve !== null) return String(reserve ?? 'none')
        return `${reserveFromSettings(null, monthlyCalls)}, or what schedules need`
      },
    },
  })
  checkReserve(reader, monthlyCalls, values.monthlyReserve)
  return {
    ...values,
    monthlyCalls,
    profile,
    baseUrl: baseUrl ?? '',
    ...readKeys(reader),
    rate: calls === null || perMs === null ? null : { calls, perMs },
  }
}

/** Reports a missing base_url, unless a wrong `profile` or `base_url` is reported already. */
function reportNoAddress(reader: SettingReader, { name }: Profile): void {
  const isRead = ['profile', 'base_url'].every((key) => {
    return !reader.isBroken([...PATH, key]) && reader.settings[`source.${key}`] !== undefined
  })
  if (!isRead) return
  reader.report({
    where: reader.whereOf(PATH),
    code: 'CONFIG_NO_BASE_URL',
    what: `source.base_url is missing, and the profile ${name} has no address of its own`,
    hint: 'Write source.base_url, set COINLAKE_BASE_URL or pass --base-url.',
  })
}

function checkReserve(reader: SettingReader, calls: number | null, reserve: number | null): void {
  if (calls === null || reserve === null || reserve < calls) return
  reader.report({
    where: reader.whereOf([...PATH, 'monthly_reserve']),
    code: 'CONFIG_CONFLICT',
    what: `source.monthly_reserve (${reserve}) leaves nothing of source.monthly_calls (${calls}) to a backfill`,
    hint: 'Make it smaller than monthly_calls.',
  })
}

/** Reads the key from COINLAKE_API_KEY, else the keys that the file names. */
function readKeys(reader: SettingReader): Pick<SourceConfig, 'apiKeys' | 'keyMissing'> {
  const hasSeveral = reader.inFile([...PATH, 'api_keys']) !== undefined
  const single = ['api_key', 'api_key_file', 'api_keys']
  const hint = 'Keep one of them; several keys go into api_keys and api_key_files.'
  reader.reportConflict('source', hasSeveral ? single : [...single, 'api_key_files'], hint)
  const key = reader.read(keyRows.apiKey, PATH)
  if (key instanceof Secret) return { apiKeys: [key], keyMissing: null }
  const { apiKey: _, ...others } = keyRows
  const { apiKeyFile, apiKeys, apiKeyFiles } = reader.readAll(others, PATH)
  const found = [key, apiKeyFile, apiKeys, apiKeyFiles].flat()
  const missing = found.find((one): one is MissingSecret => one !== null && 'missing' in one)
  const keys = found.filter((one) => one instanceof Secret)
  reportRepeatedKey(
    reader,
    [apiKeys, apiKeyFiles].flat().filter((one) => one instanceof Secret),
  )
  return { apiKeys: keys, keyMissing: missing?.missing ?? null }
}

/** Reports a key that is there twice, because its rate would count twice. */
function reportRepeatedKey(reader: SettingReader, keys: readonly Secret[]): void {
  if (new Set(keys.map((key) => key.reveal())).size === keys.length) return
  reader.report({
    where: reader.whereOf([...PATH, 'api_keys']),
    code: 'CONFIG_CONFLICT',
    what: 'source.api_keys and source.api_key_files hold the same key twice',
    hint: 'Name each key once, because rate and month belong to the key.',
  })
}
