import type { OperationId } from '../../api/operation.ts'

/**
 * What a recorded body must look like in the tables, said in SQL over the JSON text by DuckDB's own
 * functions. Written by hand from the data dictionary; it shares nothing with datasets/.
 */
export interface ExpectedTable {
  table: string
  /** A SELECT with the table's columns; `{file}` stands for the quoted path of the recording. */
  sql: string
  /** Columns that tell rows apart. */
  key: readonly string[]
  /** Columns that hold JSON text: read on both sides by this expression (`{}` = the column). */
  asJson?: Readonly<Record<string, string>>
}

/** What the recording does not say itself: it was asked for. */
export interface AskedFor {
  entity: string
  vsCurrency: string
  granularity: string
  /** Distance of two points of the granularity. */
  stepMs: number
  /** The Date header of the answer, epoch ms in whole seconds. */
  observedAtMs: number
}

type Sketch = readonly (readonly [column: string, type: string, path?: string])[]

/** `column TYPE` out of the JSON value `j`; the path is the column's name where none is given. */
function fromJson(sketch: Sketch): string {
  return sketch
    .map(([column, type, path = column]) => {
      const isText = type === 'VARCHAR' || type === 'TIMESTAMPTZ'
      const value = isText ? `(j->>'$.${path}')` : `(j->'$.${path}')`
      return `${value}::${type} AS ${column}`
    })
    .join(',\n  ')
}

/** The items of a JSON array with their place from 0. */
function items(path: string): string {
  return `(SELECT unnest(list) AS j, generate_subscripts(list, 1) - 1 AS place
    FROM (SELECT (content::JSON->'${path}')::JSON[] AS list FROM read_text({file})))`
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}

function observed({ observedAtMs }: AskedFor): string {
  return `${instant(String(observedAtMs))} AS observed_at,
  ${utcDay(instant(String(observedAtMs)))} AS observed_date`
}

function instant(ms: string): string {
  return `make_timestamptz((${ms})::BIGINT * 1000)`
}

function utcDay(time: string): string {
  return `(${time} AT TIME ZONE 'UTC')::DATE`
}

const MARKET: Sketch = [
  ['coin_id', 'VARCHAR', 'id'],
  ['symbol', 'VARCHAR'],
  ['name', 'VARCHAR'],
  ['image', 'VARCHAR'],
  ['current_price', 'DOUBLE'],
  ['market_cap', 'DOUBLE'],
  ['market_cap_rank', 'BIGINT'],
  ['fully_diluted_valuation', 'DOUBLE'],
  ['total_volume', 'DOUBLE'],
  ['high_24h', 'DOUBLE'],
  ['low_24h', 'DOUBLE'],
  ['price_change_24h', 'DOUBLE'],
  ['price_change_percentage_24h', 'DOUBLE'],
  ['market_cap_change_24h', 'DOUBLE'],
  ['market_cap_change_percentage_24h', 'DOUBLE'],
  ['circulating_supply', 'DOUBLE'],
  ['total_supply', 'DOUBLE'],
  ['max_supply', 'DOUBLE'],
  ['ath', 'DOUBLE'],
  ['ath_change_percentage', 'DOUBLE'],
  ['ath_at', 'TIMESTAMPTZ', 'ath_date'],
  ['atl', 'DOUBLE'],
  ['atl_change_percentage', 'DOUBLE'],
  ['atl_at', 'TIMESTAMPTZ', 'atl_date'],
  ['roi_times', 'DOUBLE', 'roi.times'],
  ['roi_currency', 'VARCHAR', 'roi.currency'],
  ['roi_percentage', 'DOUBLE', 'roi.percentage'],
  ['last_updated_at', 'TIMESTAMPTZ', 'last_updated'],
  ['market_cap_rank_with_rehypothecated', 'BIGINT'],
  ['sparkline_in_7d', 'VARCHAR'],
  ...['1h', '24h', '7d', '14d', '30d', '200d', '1y'].map(
    (frame) => [`price_change_percentage_${frame}_in_currency`, 'DOUBLE'] as const,
  ),
]

const STATS: Sketch = [
  ['exchange_id', 'VARCHAR', 'id'],
  ['name', 'VARCHAR'],
  ['year_established', 'BIGINT'],
  ['country', 'VARCHAR'],
  ['description', 'VARCHAR'],
  ['url', 'VARCHAR'],
  ['image', 'VARCHAR'],
  ['has_trading_incentive', 'BOOLEAN'],
  ['trust_score', 'BIGINT'],
  ['trust_score_rank', 'BIGINT'],
  ['trade_volume_24h_btc', 'DOUBLE'],
  ['trade_volume_24h_btc_normalized', 'DOUBLE'],
]

const TICKER: Sketch = [
  ['base', 'VARCHAR'],
  ['target', 'VARCHAR'],
  ['target_coin_id', 'VARCHAR'],
  ['market_name', 'VARCHAR', 'market.name'],
  ['market_identifier', 'VARCHAR', 'market.identifier'],
  ['market_has_trading_incentive', 'BOOLEAN', 'market.has_trading_incentive'],
  ['market_logo', 'VARCHAR', 'market.logo'],
  ['last', 'DOUBLE'],
  ['volume', 'DOUBLE'],
  ['cost_to_move_up_usd', 'DOUBLE'],
  ['cost_to_move_down_usd', 'DOUBLE'],
  ...['last', 'volume'].flatMap((what) =>
    ['btc', 'eth', 'usd'].map(
      (unit) => [`converted_${what}_${unit}`, 'DOUBLE', `converted_${what}.${unit}`] as const,
    ),
  ),
  ['trust_score', 'VARCHAR'],
  ['bid_ask_spread_percentage', 'DOUBLE'],
  ['ticker_at', 'TIMESTAMPTZ', 'timestamp'],
  ['last_traded_at', 'TIMESTAMPTZ'],
  ['last_fetch_at', 'TIMESTAMPTZ'],
  ['is_anomaly', 'BOOLEAN'],
  ['is_stale', 'BOOLEAN'],
  ['trade_url', 'VARCHAR'],
  ['token_info_url', 'VARCHAR'],
  ['coin_mcap_usd', 'DOUBLE'],
]

function coins({ observedAtMs }: AskedFor): ExpectedTable[] {
  const seen = `${instant(String(observedAtMs))} AS first_seen_at, ${instant(String(observedAtMs))} AS last_seen_at`
  return [
    {
      table: 'coins',
      key: ['coin_id', 'symbol', 'name'],
      sql: `SELECT j->>'$.id' AS coin_id, j->>'$.symbol' AS symbol, j->>'$.name' AS name,
  ${seen}, place AS list_ordinal FROM ${items('$')}`,
    },
    {
      table: 'coin_platforms',
      key: ['coin_id', 'platform_id', 'contract_address'],
      sql: `SELECT coin_id, entry.key AS platform_id, entry.value->>'$' AS contract_address, ${seen}
  FROM (SELECT j->>'$.id' AS coin_id, coalesce(j->'$.platforms', '{}'::JSON) AS platforms
    FROM ${items('$')}), json_each(platforms) AS entry`,
    },
  ]
}

function coinMarkets(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'coin_markets',
      key: ['ordinal'],
      asJson: { sparkline_in_7d: "({}::JSON->'$.price')::DOUBLE[]" },
      sql: `SELECT ${text(asked.vsCurrency)} AS vs_currency, ${observed(asked)}, place AS ordinal,
  ${fromJson(MARKET)} FROM ${items('$')}`,
    },
  ]
}

function marketChart({ entity, vsCurrency, granularity, stepMs }: AskedFor): ExpectedTable[] {
  // Where a time is listed again the last value counts.
  const series = (key: string, column: string): string =>
    `(SELECT (j->'$[0]')::BIGINT AS ms, last((j->'$[1]')::DOUBLE ORDER BY place) AS ${column}
      FROM ${items(`$.${key}`)} GROUP BY ms)`
  const bucket = instant(`floor(ms / ${stepMs})::BIGINT * ${stepMs}`)
  return [
    {
      table: 'market_chart',
      key: ['ts'],
      sql: `SELECT ${text(entity)} AS coin_id, ${text(vsCurrency)} AS vs_currency,
  ${text(granularity)} AS granularity, ${instant('ms')} AS ts, ${bucket} AS bucket_at,
  price, market_cap, total_volume, ${utcDay(bucket)} AS bucket_date
  FROM ${series('prices', 'price')}
  FULL JOIN ${series('market_caps', 'market_cap')} USING (ms)
  FULL JOIN ${series('total_volumes', 'total_volume')} USING (ms)`,
    },
  ]
}

function ohlc({ entity, vsCurrency, granularity, stepMs }: AskedFor): ExpectedTable[] {
  const start = instant(`(j->'$[0]')::BIGINT - ${stepMs}`)
  return [
    {
      table: 'ohlc',
      key: ['ts'],
      sql: `SELECT ${text(entity)} AS coin_id, ${text(vsCurrency)} AS vs_currency,
  ${text(granularity)} AS granularity, ${start} AS ts, ${instant("j->'$[0]'")} AS close_at,
  ${fromJson([
    ['open', 'DOUBLE', '[1]'],
    ['high', 'DOUBLE', '[2]'],
    ['low', 'DOUBLE', '[3]'],
    ['close', 'DOUBLE', '[4]'],
  ]).replaceAll('$.[', '$[')}, ${utcDay(start)} AS ts_date FROM ${items('$')}`,
    },
  ]
}

function exchangesList({ observedAtMs }: AskedFor): ExpectedTable[] {
  const at = instant(String(observedAtMs))
  return [
    {
      table: 'exchanges',
      key: ['exchange_id'],
      sql: `SELECT j->>'$.id' AS exchange_id, j->>'$.name' AS name, ${at} AS first_seen_at,
  ${at} AS last_seen_at, place AS list_ordinal FROM ${items('$')}`,
    },
  ]
}

function exchangeStats(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'exchange_stats',
      key: ['ordinal'],
      sql: `SELECT ${observed(asked)}, place AS ordinal, ${fromJson(STATS)} FROM ${items('$')}`,
    },
  ]
}

function exchangeTickers(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'exchange_tickers',
      key: ['ordinal'],
      sql: `SELECT ${text(asked.entity)} AS exchange_id, ${observed(asked)}, place AS ordinal,
  (SELECT content::JSON->>'$.name' FROM read_text({file})) AS listing_name,
  coalesce(j->>'$.coin_id', '') AS coin_id,
  ${fromJson(TICKER)} FROM ${items('$.tickers')}`,
    },
  ]
}

function exchangeRates(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'exchange_rates',
      key: ['currency'],
      sql: `SELECT entry.key AS currency, ${observed(asked)},
  row_number() OVER (ORDER BY entry.rowid) - 1 AS ordinal,
  ${fromJson([
    ['name', 'VARCHAR'],
    ['unit', 'VARCHAR'],
    ['value', 'DOUBLE'],
    ['type', 'VARCHAR'],
  ]).replaceAll('(j-', '(entry.value-')}
  FROM (SELECT content::JSON->'$.rates' AS rates FROM read_text({file})), json_each(rates) AS entry`,
    },
  ]
}

const READERS: Partial<Record<OperationId, (asked: AskedFor) => ExpectedTable[]>> = {
  'coins/list': coins,
  'coins/markets': coinMarkets,
  'coins/{id}/market_chart': marketChart,
  'coins/{id}/market_chart/range': marketChart,
  'coins/{id}/ohlc': ohlc,
  'exchanges/list': exchangesList,
  exchanges: exchangeStats,
  'exchanges/{id}/tickers': exchangeTickers,
  exchange_rates: exchangeRates,
}

/** The tables a recorded body of an operation fills. */
export function expectedTables(operation: OperationId, asked: AskedFor): ExpectedTable[] {
  return READERS[operation]?.(asked) ?? []
}
