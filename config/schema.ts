import { z } from 'zod'
import { DURATION_PATTERN } from './duration.ts'
import { storeSchema } from './lake-schema.ts'
import { ORDER_NAME_PATTERN } from './order-label.ts'
import { profiles } from './profiles.ts'
import { SIZE_PATTERN } from './size.ts'
import { scheduleSchema } from './schedule-schema.ts'
import { UTC_DATE_PATTERN } from './utc-date.ts'
import { alertsSchema, freshnessSchema, logSchema, metricsSchema } from './watch-schema.ts'

// The structure of coinlake.yaml: which keys there are, what each is for, text or number or list.
// What a text means (a date, a duration, a URL) is checked by the reader of that setting, because
// flags and the environment say the same things and deserve the same messages. Editors learn the
// forms from the patterns here.

const text = (description: string, more: Record<string, unknown> = {}) =>
  z.string({ error: 'must be text' }).meta({ description, ...more })

const wholeNumber = (description: string, min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`
  return z
    .number({ error })
    .int({ error })
    .min(min, { error })
    .max(max, { error })
    .describe(description)
}

const duration = (description: string, example: string) =>
  text(description, { pattern: DURATION_PATTERN, examples: [example] })

const date = (description: string) =>
  text(description, { pattern: UTC_DATE_PATTERN, examples: ['2024-01-01', '2024-01-01T12:00:00Z'] })

const idList = (description: string, examples: unknown[]) =>
  z
    .union([z.string(), z.array(z.string(), { error: 'must be a list of ids' })], {
      error: 'must be a list of ids, or one text of ids with commas between them',
    })
    .meta({ description, examples })

const keyList = (description: string, example: string[]) =>
  z
    .array(z.string({ error: 'must be text' }), { error: 'must be a list' })
    .min(1, { error: 'must not be empty' })
    .meta({ description, examples: [example] })

const keysOnly = { error: 'must be a map of keys and values' }

/** More connections than this only make one service slow; the rate limit is reached long before. */
const MAX_CONCURRENCY = 64
const MAX_CALLS = 100_000_000
const MAX_HISTORY_DAYS = 36_500

export const rateSchema = z
  .strictObject(
    {
      calls: wholeNumber('Calls permitted in the window.', 1, MAX_CALLS),
      per: duration('Length of the window.', '1m'),
    },
    keysOnly,
  )
  .describe(
    "What each key may ask. Default: the profile's own limit, or what the service's headers say.",
  )

export const sourceSchema = z
  .strictObject(
    {
      profile: text('Which kind of service this is.', { enum: Object.keys(profiles) }).optional(),
      base_url: text(
        "Where the service lives, without the version segment. https, or http on this machine only. Default: the profile's address.",
        { examples: ['http://127.0.0.1:8400'] },
      ).optional(),
      api_key: text(
        'The key. Write ${NAME} to take it from the environment; COINLAKE_API_KEY always wins over this line.',
        { examples: ['${COINLAKE_API_KEY}'] },
      ).optional(),
      api_key_file: text(
        'A file that holds the key and nothing else; relative to this file.',
      ).optional(),
      api_keys: keyList(
        'Several keys of the same service, each with a rate and a month of its own; what they may ask adds up. Write ${NAME} for each.',
        ['${COINLAKE_KEY_A}', '${COINLAKE_KEY_B}'],
      ).optional(),
      api_key_files: keyList(
        'Files that hold one key each; relative to this file. May stand beside api_keys.',
        ['keys/a.key', 'keys/b.key'],
      ).optional(),
      rate: rateSchema.optional(),
      monthly_calls: wholeNumber(
        "The ceiling of calls that each key has in a calendar month (UTC): no call is made beyond it. Default: the profile's, else none.",
        1,
        MAX_CALLS,
      ).optional(),
      monthly_reserve: wholeNumber(
        'Calls of the month that a backfill leaves to what is asked for by hand or on a schedule. Default: what the schedules need until the month is over, half of monthly_calls at the most; without schedules a tenth.',
        0,
        MAX_CALLS,
      ).optional(),
      max_history_days: wholeNumber(
        "How many days back the key's plan reaches. Default: the profile's, else no limit.",
        1,
        MAX_HISTORY_DAYS,
      ).optional(),
      timeout: duration('How long one request may take. Default: 30s.', '30s').optional(),
      max_body: text(
        'The largest answer that is read, unpacked, from 1MiB to 256MiB; a larger one fails its slice. Default: 64MiB.',
        { pattern: SIZE_PATTERN, examples: ['64MiB'] },
      ).optional(),
      ca_file: text(
        'PEM certificates to trust beside those of the system; relative to this file.',
      ).optional(),
      concurrency: wholeNumber(
        'Requests in flight at once. Default: 16: 500 calls a minute from a source that takes a second and more.',
        1,
        MAX_CONCURRENCY,
      ).optional(),
    },
    keysOnly,
  )
  .describe('The service the data comes from.')

export const stageSchema = z
  .strictObject(
    {
      at: text(
        "Where they go: a folder that all workers share, relative to this file, or s3://bucket/prefix with the AWS_* environment. Default: the warehouse's own folder, for one worker.",
        { examples: ['s3://bucket/stage', '/mnt/stage'] },
      ).optional(),
      keep: text(
        'How long the raw answers stay after they are loaded: forever, none, or a duration. Default: forever, because asking again costs calls and the disk is cheaper.',
        { pattern: `^(forever|none)$|${DURATION_PATTERN}`, examples: ['forever', '30d', 'none'] },
      ).optional(),
    },
    keysOnly,
  )
  .describe('Where fetched pages go before they are loaded.')

export const publishSchema = z
  .strictObject(
    {
      every: text(
        'How often readers are shown what a run has loaded while it goes on: a duration, or end for its end only. Default: 15m.',
        { pattern: `^end$|${DURATION_PATTERN}`, examples: ['15m', '1h', 'end'] },
      ).optional(),
    },
    keysOnly,
  )
  .describe('When the publications are made.')

export const parquetSchema = z
  .strictObject(
    {
      version: text(
        'Encodings of the Parquet files: v2, or v1 for readers such as Spark before 4. Default: v2.',
        { enum: ['v1', 'v2'] },
      ).optional(),
      at: text(
        'Where they go instead of parquet/ in the warehouse: s3://bucket/prefix with the AWS_* environment, a prefix for each warehouse. Workers of a lake may all publish there.',
        { examples: ['s3://bucket/tree'] },
      ).optional(),
    },
    keysOnly,
  )
  .describe('The Parquet publication.')

export const orderSchema = z.strictObject(
  {
    name: text(
      'What this order is called where the dataset has several: schedules and --dataset take DATASET/NAME. Default: its granularity, or how often it is taken.',
      { pattern: ORDER_NAME_PATTERN, examples: ['hourly'] },
    ).optional(),
    coins: idList(
      'Coin ids, or one of: top:N for the N largest by market cap, category:ID for all of a category, all for every coin, inactive for those that were delisted (profile coingecko-pro). What these choose is frozen when it is first used.',
      [['bitcoin', 'ethereum'], 'top:100', 'category:layer-1', 'all', 'inactive'],
    ).optional(),
    exchanges: idList('Exchange ids. Exchanges of derivatives have ids of their own.', [
      ['binance', 'kraken'],
    ]).optional(),
    tokens: idList(
      'Tokens by contract: platform_id/contract_address, with the platform as asset_platforms lists it.',
      [['ethereum/0xdac17f958d2ee523a2206206994597c13d831ec7']],
    ).optional(),
    queries: idList('Texts to search for.', [['bitcoin', 'wrapped ether']]).optional(),
    vs_currencies: idList('The currencies prices are asked in. Default: usd.', [
      ['usd', 'eur'],
    ]).optional(),
    granularity: z
      .union([z.string(), z.array(z.string(), { error: 'must be a list' })], {
        error: 'must be text, or a list',
      })
      .meta({
        description: 'The distance between two points; a list asks for each of them.',
        examples: ['hourly', ['hourly', 'daily']],
      })
      .optional(),
    from: date('First moment of the history, UTC.').optional(),
    to: date('End of the history, UTC, itself not included. Default: now.').optional(),
    every: duration('How often a snapshot is taken. Default: 1d.', '1d').optional(),
    ignore: idList(
      'Ids that are not asked for, of those that a selector has chosen too: what the source does not know is named no more.',
      [['bitconnect']],
    ).optional(),
  },
  { error: 'must be a map of keys and values, or a list of them' },
)

/** The structure of coinlake.yaml; unknown keys are errors. A dataset's one order stands for a list of one. */
export const configSchema = z
  .strictObject(
    {
      source: sourceSchema.optional(),
      warehouse: text(
        'The folder of the warehouse, relative to this file. Default: ./warehouse.',
      ).optional(),
      sinks: idList(
        'The publications to make for readers. Default: both; none for a lake, which readers can open themselves.',
        [['duckdb', 'parquet']],
      ).optional(),
      store: storeSchema.optional(),
      stage: stageSchema.optional(),
      publish: publishSchema.optional(),
      parquet: parquetSchema.optional(),
      datasets: z
        .record(z.string(), z.array(orderSchema).min(1, { error: 'must not be empty' }), {
          error: 'must be a map of dataset names',
        })
        .describe('What to export, by dataset. `coinlake datasets` lists them.')
        .optional(),
      schedules: z
        .record(z.string(), scheduleSchema, { error: 'must be a map of schedule names' })
        .describe('When to bring it up to date, by name; `coinlake schedule apply` makes it so.')
        .optional(),
      freshness: freshnessSchema.optional(),
      alerts: alertsSchema.optional(),
      metrics: metricsSchema.optional(),
      log: logSchema.optional(),
    },
    keysOnly,
  )
  .describe('The configuration of coinlake.')

/** What coinlake.yaml holds once its structure is right. */
export type ConfigDocument = z.infer<typeof configSchema>
