import { profiles, type ProfileName } from '../profiles.ts'
import { duration, plainText, size, whole, word } from './kinds.ts'
import { path } from './place-kinds.ts'
import { checkedKey, secret, secretFile, several } from './secret-kinds.ts'
import { setting } from './setting.ts'

const PROFILE_NAMES = Object.keys(profiles) as ProfileName[]
/** More connections would only slow a service down; the rate limit is reached long before. */
const MAX_CONCURRENCY = 64
/** A larger number of calls is a typo. */
export const MAX_CALLS = 100_000_000
const MAX_HISTORY_DAYS = 36_500

export const rateRows = {
  calls: setting('calls', whole(1, MAX_CALLS), {
    about: 'Calls permitted in the window.',
    isRequired: true,
    none: 'learned from headers',
    examples: [100],
  }),
  perMs: setting('per', duration, {
    about: 'Length of the window.',
    isRequired: true,
    none: 'learned from headers',
    examples: ['1m'],
  }),
}

export const addressRows = {
  profile: setting('profile', word(PROFILE_NAMES, 'CONFIG_UNKNOWN_PROFILE'), {
    about: 'The kind of service.',
    default: 'interface',
    flag: 'profile',
    env: 'COINLAKE_PROFILE',
  }),
  baseUrl: setting('base_url', plainText, {
    about:
      'Address of the service, without the version segment. https, or http on this machine only.',
    otherwise: "the profile's address",
    examples: ['http://127.0.0.1:8400'],
    flag: 'baseUrl',
    env: 'COINLAKE_BASE_URL',
  }),
}

export const keyRows = {
  apiKey: setting('api_key', secret(checkedKey), {
    about:
      'The key, or ${NAME} to take it from the environment. COINLAKE_API_KEY always wins over this line. Profile interface, and a service on this machine, may answer without one.',
    env: 'COINLAKE_API_KEY',
    examples: ['${COINLAKE_API_KEY}'],
  }),
  apiKeyFile: setting('api_key_file', secretFile(checkedKey), {
    about: 'A file that holds only the key; relative to this file.',
    examples: ['./coinlake.key'],
  }),
  apiKeys: setting('api_keys', several(secret(checkedKey)), {
    about:
      'Several keys of the same service. Each has its own rate and month; their limits add up. Write ${NAME} for each.',
    examples: [['${COINLAKE_KEY_A}', '${COINLAKE_KEY_B}']],
  }),
  apiKeyFiles: setting('api_key_files', several(secretFile(checkedKey)), {
    about:
      'Files that hold one key each; relative to this file. May be used together with api_keys.',
    examples: [['keys/a.key', 'keys/b.key']],
  }),
}

export const sourceRows = {
  monthlyCalls: setting('monthly_calls', whole(1, MAX_CALLS), {
    about: 'The most calls of each key in a calendar month (UTC).',
    otherwise: "the profile's, else none",
    none: 'none',
    examples: [10_000],
  }),
  monthlyReserve: setting('monthly_reserve', whole(0, MAX_CALLS), {
    about: 'Calls of the month reserved from backfills, for schedules and refetches.',
    otherwise:
      'the calls that schedules need until the end of the month, at most half of monthly_calls; without schedules a tenth',
    none: 'none',
    examples: [1_000],
  }),
  maxHistoryDays: setting('max_history_days', whole(1, MAX_HISTORY_DAYS), {
    about: "How many days back the key's plan reaches.",
    otherwise: "the profile's, else no limit",
    none: 'none',
    examples: [365],
  }),
  /** A service that takes longer than 30 s for a page of 250 coins is down. */
  timeoutMs: setting('timeout', duration, {
    about: 'Longest silence of one request; a whole answer may take four times as long.',
    default: '30s',
  }),
  caFile: setting('ca_file', path, {
    about:
      'A file of PEM certificates to trust besides those of the system; relative to this file.',
    examples: ['certs/ca.pem'],
  }),
  /** The largest known answer has some megabytes. docs/guarantees.md has the cost of reading 64 MiB. */
  maxBodyBytes: setting('max_body', size, {
    about:
      'The largest answer that is read, uncompressed, from 1MiB to 256MiB. A larger answer fails its slice.',
    default: '64MiB',
  }),
  /**
   * Enough for 500 calls a minute when each takes 1.9 s in all. With 8, a busy machine left a sixth of the rate unused.
   */
  concurrency: setting('concurrency', whole(1, MAX_CONCURRENCY), {
    about: 'Requests in flight at once. 16 allow 500 calls a minute when a call takes up to 1.9 s.',
    default: 16,
  }),
}
