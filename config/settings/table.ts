import { profiles, type ProfileName } from '../profiles.ts'
import { DEFAULT_MAX_BODY_BYTES, formatSize } from '../values/size.ts'
import { argv, duration, durationOr, ids, listOf, minutes } from './kinds.ts'
import { plainText, size, whole, word, yesOrNo } from './kinds.ts'
import { bindAddress, collector } from './metrics-kinds.ts'
import { orderSection } from './order-settings.ts'
import { bucket, catalog, path, place } from './place-kinds.ts'
import { cron, timesOfDay, timeZone, weekdays } from './schedule-kinds.ts'
import { checkedKey, checkedUrl, secret, secretFile, several } from './secret-kinds.ts'
import { section, setting } from './setting.ts'

// Every setting of coinlake.yaml, once: its key, its kind, its default as the file would write it, and
// what it is for. The check of the file, the JSON schema, the types of what is read, `config show`,
// the comments of `coinlake init` and the list in docs/configuration.md follow from these rows. (The
// keys of an order are in order-settings.ts.)

const PROFILE_NAMES = Object.keys(profiles) as ProfileName[]
/** More connections than this only make one service slow; the rate limit is reached long before. */
const MAX_CONCURRENCY = 64
const MAX_CALLS = 100_000_000
const MAX_HISTORY_DAYS = 36_500

/** Subjects of alerts: how a run ended, one that stands still, data older than they should be, and either well again. */
export const ALERT_EVENTS = ['partial', 'failed', 'stalled', 'stale', 'recovered'] as const

export const rateRows = {
  calls: setting('calls', whole(1, MAX_CALLS), {
    about: 'Calls permitted in the window.',
    isRequired: true,
    none: 'learned from headers',
    examples: [30],
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
    about: 'Which kind of service this is.',
    default: 'interface',
    flag: 'profile',
    env: 'COINLAKE_PROFILE',
  }),
  baseUrl: setting('base_url', plainText, {
    about:
      'Where the service lives, without the version segment. https, or http on this machine only.',
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
    about: 'A file that holds the key and nothing else; relative to this file.',
    examples: ['./coinlake.key'],
  }),
  apiKeys: setting('api_keys', several(secret(checkedKey)), {
    about:
      'Several keys of the same service. Each has a rate and a month of its own, and what they may ask adds up. Write ${NAME} for each.',
    examples: [['${COINLAKE_KEY_A}', '${COINLAKE_KEY_B}']],
  }),
  apiKeyFiles: setting('api_key_files', several(secretFile(checkedKey)), {
    about: 'Files that hold one key each; relative to this file. May stand beside api_keys.',
    examples: [['keys/a.key', 'keys/b.key']],
  }),
}

export const sourceRows = {
  monthlyCalls: setting('monthly_calls', whole(1, MAX_CALLS), {
    about:
      'The ceiling of calls that each key has in a calendar month (UTC). No call is made beyond it.',
    otherwise: "the profile's, else none",
    none: 'none',
    examples: [10_000],
  }),
  monthlyReserve: setting('monthly_reserve', whole(0, MAX_CALLS), {
    about:
      'Calls of the month that a backfill leaves alone. They are for what is asked for by hand or on a schedule.',
    otherwise:
      'what the schedules need until the month is over, half of monthly_calls at the most; without schedules a tenth',
    none: 'none',
    examples: [100],
  }),
  maxHistoryDays: setting('max_history_days', whole(1, MAX_HISTORY_DAYS), {
    about: "How many days back the key's plan reaches.",
    otherwise: "the profile's, else no limit",
    none: 'none',
    examples: [365],
  }),
  /** A service that takes longer for a page of 250 coins is down. */
  timeoutMs: setting('timeout', duration, {
    about: 'How long one request may take.',
    default: '30s',
  }),
  caFile: setting('ca_file', path, {
    about: 'PEM certificates to trust beside those of the system; relative to this file.',
    examples: ['certs/ca.pem'],
  }),
  maxBodyBytes: setting('max_body', size, {
    about:
      'The largest answer that is read, unpacked, from 1MiB to 256MiB. A larger one fails its slice.',
    default: formatSize(DEFAULT_MAX_BODY_BYTES),
  }),
  /**
   * Enough for 8 calls a second (500 a minute) when an answer and its way through the server take two
   * seconds; half of it left a sixth of that limit unused on a busy machine. The pacer keeps the rate.
   */
  concurrency: setting('concurrency', whole(1, MAX_CONCURRENCY), {
    about:
      'Requests in flight at once. 16 are 500 calls a minute from a source that takes a second and more.',
    default: 16,
  }),
}

export const placeRows = {
  warehouseDir: setting('warehouse', path, {
    about: 'The folder of the warehouse, relative to this file.',
    default: './warehouse',
    flag: 'warehouse',
    env: 'COINLAKE_WAREHOUSE',
  }),
  sinks: setting('sinks', listOf(word(['duckdb', 'parquet'], 'CONFIG_UNKNOWN_SINK')), {
    about:
      'The publications to make for readers: coinlake.duckdb, and parquet/<table>/. A lake needs none, as readers can open it themselves.',
    default: ['duckdb', 'parquet'],
  }),
}

export const lakeRows = {
  catalog: setting('catalog', catalog, {
    about:
      'Where it is written down which rows count. postgres: with the words of libpq, or sqlite:FILE on one machine. No password: PGPASSWORD or PGPASSFILE has it.',
    isRequired: true,
    examples: ['postgres:dbname=lake host=db user=coinlake', 'sqlite:./catalog.sqlite'],
  }),
  data: setting('data', place, {
    about:
      'Where the rows lie. A folder that all workers share, relative to this file, or s3://bucket/prefix with the AWS_* environment.',
    isRequired: true,
    examples: ['s3://bucket/lake', '/mnt/lake'],
  }),
}

export const stageRows = {
  at: setting('at', place, {
    isAlternative: true,
    about:
      'A folder that all workers share, or s3://bucket/prefix with the AWS_* environment. A relative path counts from this file.',
    otherwise: "the warehouse's own folder, for one worker",
    none: 'in the warehouse',
    examples: ['s3://bucket/stage', '/mnt/stage'],
  }),
  keep: setting('keep', durationOr(['forever', 'none'], '30d'), {
    about:
      'How long raw answers stay after their load: forever, none, or a duration. Asking again costs calls, and the disk is cheaper.',
    default: 'forever',
    examples: ['30d', 'none'],
  }),
}

export const publishRows = {
  every: setting('every', durationOr(['end'], '15m'), {
    about: 'How often readers see what a long run has loaded so far. `end` is for its end only.',
    default: '15m',
    examples: ['1h', 'end'],
  }),
}

export const parquetRows = {
  version: setting('version', word(['v1', 'v2']), {
    about: 'Encodings of the Parquet files. v1 is for readers such as Spark before 4.',
    default: 'v2',
  }),
  bucket: setting('at', bucket, {
    isAlternative: true,
    about:
      's3://bucket/prefix instead of parquet/ in the warehouse, with the AWS_* environment. A prefix for each warehouse; workers of a lake may all publish there.',
    otherwise: 'in the warehouse',
    examples: ['s3://bucket/tree'],
  }),
}

export const scheduleRows = {
  everyMs: setting('every', minutes, {
    isAlternative: true,
    about: 'An interval, counted from 1970 UTC: 1h is each full hour.',
    examples: ['1h'],
  }),
  offsetMs: setting('offset', duration, {
    isAlternative: true,
    about: 'How long after the full interval.',
    otherwise: 'none',
    examples: ['5m'],
  }),
  at: setting('at', timesOfDay, {
    about:
      'Times of day, in `time_zone`: 06:30, or several. The close of a day is there by 00:40 UTC, and final an hour after midnight.',
    examples: ['01:05', ['06:30', '18:30']],
  }),
  weekdays: setting('days', weekdays, {
    isAlternative: true,
    about: 'Days of the week for `at`.',
    otherwise: 'every day',
    examples: [['mon', 'thu']],
  }),
  cron: setting('cron', cron, {
    isAlternative: true,
    about: 'Five fields of cron, in `time_zone`, for what `at` cannot say.',
    examples: ['0 6 1 * *'],
  }),
  timeZone: setting('time_zone', timeZone, {
    isAlternative: true,
    about: 'Of `at` and `cron`, by its IANA name.',
    default: 'UTC',
    examples: ['Europe/Berlin'],
  }),
  jitterMs: setting('jitter', duration, {
    about: 'Starts up to this much later, by chance.',
    otherwise: 'none',
    examples: ['2m'],
  }),
  overlap: setting('overlap', word(['buffer_one', 'skip']), {
    about:
      'What happens when a window comes due while the one before still runs. buffer_one runs it after that, skip leaves it to the next.',
    default: 'buffer_one',
  }),
  catchUpMs: setting('catch_up', minutes, {
    about:
      'How late a window may begin after a stop. However many were missed, one run takes them all.',
    default: '1d',
  }),
  isPausedOnFailure: setting('pause_on_failure', yesOrNo, {
    about: 'Whether a failed run pauses the schedule.',
    default: false,
  }),
  datasets: setting('datasets', ids, {
    isAlternative: true,
    about:
      'Which of `datasets:` to bring up to date. A dataset means all of its orders, DATASET/NAME one of them.',
    otherwise: 'all',
    examples: [['coins', 'market_chart/hourly']],
  }),
}

/** How old the newest point of a dataset or an order may be. */
export const freshnessRow = setting('freshness', duration, {
  about: 'How old its newest point may be before it is stale.',
  otherwise:
    'twice its step or twice the time between windows of its schedule, and what settles until then',
  examples: ['5h'],
})

export const alertRows = {
  webhook: setting('webhook', secret(checkedUrl), {
    about:
      'Where alerts are sent to as JSON (POST). Write ${NAME} to take it from the environment: such addresses are secrets.',
    examples: ['${COINLAKE_ALERT_WEBHOOK}'],
  }),
  webhookFile: setting('webhook_file', secretFile(checkedUrl), {
    isAlternative: true,
    about: 'A file that holds that address; relative to this file.',
    examples: ['./webhook'],
  }),
  command: setting('command', argv, {
    isAlternative: true,
    about:
      'A program and its arguments, instead of a webhook. It gets the alert as JSON on standard input. No shell.',
    examples: [['/usr/local/bin/page-me', '--team', 'data']],
  }),
  on: setting('on', listOf(word(ALERT_EVENTS)), {
    about:
      'What is told. A run may end partial or failed, or stand still; data may be stale; either may be well again.',
    default: ALERT_EVENTS,
  }),
}

export const metricsRows = {
  prometheus: setting('prometheus', bindAddress, {
    about:
      'Port, or host:port, where /metrics is served while a process works. A port alone is on 127.0.0.1.',
    examples: [9464, '127.0.0.1:9464'],
  }),
  otlp: setting('otlp', collector, {
    isAlternative: true,
    about: 'Address of an OpenTelemetry collector (OTLP over HTTP), instead of prometheus.',
    examples: ['http://127.0.0.1:4318/v1/metrics'],
  }),
}

export const logRows = {
  format: setting('format', word(['text', 'json']), {
    about: 'What a command that works says on stderr. json is the lines of its log.',
    default: 'text',
    flag: 'log',
  }),
  level: setting('level', word(['debug', 'info', 'warn']), {
    about: 'How much is logged. debug has a line for each page.',
    default: 'info',
  }),
  keepMs: setting('keep', duration, {
    about: 'How long log files in state/logs stay.',
    default: '30d',
  }),
}

/** The whole file; a key that is not here is an error. */
export const table = section('', 'The configuration of coinlake.', {
  source: section('source', 'The service the data comes from.', {
    ...addressRows,
    ...keyRows,
    rate: section(
      'rate',
      "What each key may ask. Default: the profile's own limit, or what the service's headers say.",
      rateRows,
    ),
    ...sourceRows,
  }),
  ...placeRows,
  store: section(
    'store',
    'The place of record. Default: a DuckDB file in the warehouse, for one worker.',
    {
      ducklake: section(
        'ducklake',
        'A DuckLake, into which many workers load at once, on any number of machines.',
        lakeRows,
      ),
    },
  ),
  stage: section('stage', 'Where fetched pages go before they are loaded.', stageRows),
  publish: section('publish', 'When the publications are made.', publishRows),
  parquet: section('parquet', 'The Parquet publication.', parquetRows),
  datasets: {
    key: 'datasets',
    about: 'What to export, by dataset. `coinlake datasets` lists them.',
    form: 'must be a map of dataset names',
    each: orderSection,
    mayBeList: true,
    example: 'DATASET',
  },
  schedules: {
    key: 'schedules',
    about: 'When to bring it up to date, by name; `coinlake schedule apply` makes it so.',
    form: 'must be a map of schedule names',
    each: section('schedules', 'When to bring the warehouse up to date.', scheduleRows),
    mayBeList: false,
    example: 'daily',
  },
  freshness: {
    key: 'freshness',
    about: 'By dataset, or by order (DATASET/NAME), when it is stale: `coinlake status --check`.',
    form: 'must be a map of dataset names and durations',
    each: freshnessRow,
    mayBeList: false,
    example: 'coins',
  },
  alerts: section('alerts', 'Who is told when a run fails or data grow old.', alertRows),
  metrics: section(
    'metrics',
    "Metrics of Temporal's workers and of coinlake, from one place. Default: none.",
    metricsRows,
  ),
  log: section('log', 'The log of the processes that work on the warehouse.', logRows),
})
