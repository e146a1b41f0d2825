import { expect, test } from 'vitest'
import type { ConfigFlags } from '../../config/config-flags.ts'
import { parseConfig } from '../../config/load-config.ts'
import { problemsOf as readProblems } from './problems-of.ts'
import { shapes } from './shapes.ts'

function problemsOf(text: string, flags: ConfigFlags = {}, env: Record<string, string> = {}) {
  const input = { file: 'c.yaml', flags, env, datasets: shapes, cwd: '/base' }
  return readProblems(() => parseConfig(input, text))
}

const source = 'source: { base_url: "https://api.example" }\n'
const chart = (keys: string): string => `${source}datasets:\n  market_chart: { ${keys} }\n`

test.each<[string, string]>([
  [
    `${source}warehose: ./w`,
    'CONFIG_UNKNOWN_KEY c.yaml:2:1: the file has no key `warehose` | Did you mean `warehouse`?',
  ],
  [
    'source:\n  base_url: https://api.example\n  time-out: 5s',
    'CONFIG_UNKNOWN_KEY c.yaml:3:3: `source` has no key `time-out` | Did you mean `timeout`?',
  ],
  [
    `${source}api_key: x`,
    'CONFIG_UNKNOWN_KEY c.yaml:2:1: the file has no key `api_key` | `api_key` belongs under `source`.',
  ],
  [
    chart('coins: [bitcoin], form: 2024-01-01'),
    'CONFIG_UNKNOWN_KEY c.yaml:3:37: `datasets.market_chart` has no key `form` | Did you mean `from`?',
  ],
  [
    `${source}publish: { size: 1 }`,
    'CONFIG_UNKNOWN_KEY c.yaml:2:12: `publish` has no key `size` | `publish` may have: every.',
  ],
  [
    `${source}keep: 1d`,
    'CONFIG_UNKNOWN_KEY c.yaml:2:1: the file has no key `keep` | `keep` belongs under `stage` or under `log`.',
  ],
  [
    'source: { base_url: "https://api.example", rate: { calls: 3, per: 1m, burst: 9 } }',
    'CONFIG_UNKNOWN_KEY c.yaml:1:71: `source.rate` has no key `burst` | `source.rate` may have: calls, per.',
  ],
  [
    chart('from: 2024-02-30'),
    'CONFIG_BAD_DATE c.yaml:3:25: datasets.market_chart.from is not a date: "2024-02-30" | Write a day of the calendar such as 2024-01-31, or an ISO time such as 2024-01-31T12:00:00Z.',
  ],
  [
    chart('from: 2024'),
    'CONFIG_BAD_VALUE c.yaml:3:25: datasets.market_chart.from must be text, not 2024 | Correct the value; `coinlake init` writes a file with every key explained.',
  ],
  [
    chart('from: 2024-03-31, to: 2024-01-01'),
    'CONFIG_RANGE c.yaml:3:25: datasets.market_chart.from 2024-03-31 must be before its end 2024-01-01 (c.yaml:3:41) | `to` is not included: a single day runs from 2024-01-01 to 2024-01-02.',
  ],
  [
    chart('from: 2024-01-01, to: 2024-01-01'),
    'CONFIG_RANGE c.yaml:3:25: datasets.market_chart.from 2024-01-01 must be before its end 2024-01-01 (c.yaml:3:41) | `to` is not included: a single day runs from 2024-01-01 to 2024-01-02.',
  ],
  [
    `${source}datasets:\n  market-charts: {}`,
    'CONFIG_UNKNOWN_DATASET c.yaml:3:3: there is no dataset "market-charts" | Did you mean `market_chart`?',
  ],
  [
    `${source}datasets:\n  nfts: {}`,
    'CONFIG_UNKNOWN_DATASET c.yaml:3:3: there is no dataset "nfts" | Datasets: coins, coin_markets, market_chart, ohlc, exchanges, exchange_tickers, derivative_exchange_tickers, token_details, price_quotes, search_results, exchange_rates.',
  ],
  [
    `${source}datasets:\n  exchange_rates: { coins: [bitcoin] }`,
    'CONFIG_KEY_NOT_FOR_DATASET c.yaml:3:21: datasets.exchange_rates takes no `coins` | exchange_rates takes every.',
  ],
  [
    chart('every: 1d'),
    'CONFIG_KEY_NOT_FOR_DATASET c.yaml:3:19: datasets.market_chart takes no `every` | market_chart takes coins, vs_currencies, granularity, from, to, ignore.',
  ],
  [
    chart('vs_currencies: [us dollar]'),
    'CONFIG_BAD_CURRENCY c.yaml:3:34: datasets.market_chart.vs_currencies has no currency code: "us dollar" | Write codes such as usd, eur, btc.',
  ],
  [
    chart('granularity: weekly'),
    'CONFIG_BAD_GRANULARITY c.yaml:3:32: datasets.market_chart.granularity is no granularity: "weekly" | Choose one of 1h (hourly), 1d (daily), 5m.',
  ],
  [
    chart('granularity: constructor'),
    'CONFIG_BAD_GRANULARITY c.yaml:3:32: datasets.market_chart.granularity is no granularity: "constructor" | Choose one of 1h (hourly), 1d (daily), 5m.',
  ],
  [
    chart('granularity: 4h'),
    'CONFIG_BAD_GRANULARITY c.yaml:3:32: datasets.market_chart.granularity is not offered: "4h" | Choose one of 1h (hourly), 1d (daily), 5m.',
  ],
  [
    chart('coins: top:0'),
    'CONFIG_BAD_TOP c.yaml:3:26: datasets.market_chart.coins is no number of coins: "top:0" | Write top:N alone, with N from 1 to 50000, or a list of ids.',
  ],
  [
    chart('coins: [bitcoin, TOP:20]'),
    'CONFIG_BAD_TOP c.yaml:3:26: datasets.market_chart.coins selects no coins: "TOP:20" | Did you mean `top:20`?',
  ],
  [
    chart('coins: [top:10, bitcoin]'),
    'CONFIG_BAD_TOP c.yaml:3:26: datasets.market_chart.coins mixes top:10 with ids | Write top:10 alone, or a list of ids.',
  ],
  [
    chart('coins: top:99999'),
    'CONFIG_BAD_TOP c.yaml:3:26: datasets.market_chart.coins is no number of coins: "top:99999" | Write top:N alone, with N from 1 to 50000, or a list of ids.',
  ],
  [
    chart('coins: "category:"'),
    'CONFIG_BAD_CATEGORY c.yaml:3:26: datasets.market_chart.coins names no category: "category:" | Write category:ID with an id of the dataset categories, such as category:layer-1.',
  ],
  [
    chart('coins: [bitcoin, category:layer-1]'),
    'CONFIG_MIXED_COINS c.yaml:3:26: datasets.market_chart.coins mixes category:layer-1 with ids | Write category:layer-1 alone, or a list of ids.',
  ],
  [
    chart('coins: [all, bitcoin]'),
    'CONFIG_MIXED_COINS c.yaml:3:26: datasets.market_chart.coins mixes all with ids | Write all alone, or a list of ids.',
  ],
  [
    chart('coins: []'),
    'CONFIG_BAD_ID c.yaml:3:26: datasets.market_chart.coins is an empty list | Write ids as the source spells them: [bitcoin, ethereum].',
  ],
  [
    chart('coins: [bitcoin, ""]'),
    'CONFIG_BAD_ID c.yaml:3:26: datasets.market_chart.coins has a text that is no id: "" | Write ids as the source spells them: [bitcoin, ethereum].',
  ],
  [
    chart('coins: [bitcoin, [ethereum]]'),
    'CONFIG_BAD_VALUE c.yaml:3:26: datasets.market_chart.coins must be a list of ids, or one text of ids with commas between them, not ["bitcoin",["ethereum"]] | Correct the value; `coinlake init` writes a file with every key explained.',
  ],
  [
    `${source}datasets:\n  token_details: { tokens: [ethereum/0x1, 0x2] }`,
    'CONFIG_BAD_TOKEN c.yaml:3:28: datasets.token_details.tokens has no token: "0x2" | Write platform_id/contract_address, such as ethereum/0xdac17f958d2ee523a2206206994597c13d831ec7.',
  ],
  [
    `${source}datasets:\n  token_details: { tokens: [ethereum/] }`,
    'CONFIG_BAD_TOKEN c.yaml:3:28: datasets.token_details.tokens has no token: "ethereum/" | Write platform_id/contract_address, such as ethereum/0xdac17f958d2ee523a2206206994597c13d831ec7.',
  ],
  [
    `${source}datasets:\n  token_details: { tokens: [/0x1] }`,
    'CONFIG_BAD_TOKEN c.yaml:3:28: datasets.token_details.tokens has no token: "/0x1" | Write platform_id/contract_address, such as ethereum/0xdac17f958d2ee523a2206206994597c13d831ec7.',
  ],
  [
    `${source}datasets:\n  token_details: { tokens: [ethereum/0x1 0x2] }`,
    'CONFIG_BAD_TOKEN c.yaml:3:28: datasets.token_details.tokens has no token: "ethereum/0x1 0x2" | Write platform_id/contract_address, such as ethereum/0xdac17f958d2ee523a2206206994597c13d831ec7.',
  ],
  [
    `${source}datasets:\n  token_details: { tokens: [] }`,
    'CONFIG_BAD_ID c.yaml:3:28: datasets.token_details.tokens is an empty list | Write ids as the source spells them: [bitcoin, ethereum].',
  ],
  [
    `${source}datasets:\n  search_results: { queries: [bitcoin, "  "] }`,
    'CONFIG_BAD_QUERY c.yaml:3:30: datasets.search_results.queries has a text that cannot be searched for: "" | Write the texts to search for: [bitcoin, wrapped ether].',
  ],
  [
    `${source}datasets:\n  search_results: { queries: [] }`,
    'CONFIG_BAD_QUERY c.yaml:3:30: datasets.search_results.queries is an empty list | Write the texts to search for: [bitcoin, wrapped ether].',
  ],
  [
    `${source}datasets:\n  search_results: { queries: "" }`,
    'CONFIG_BAD_VALUE c.yaml:3:30: datasets.search_results.queries is empty | Write a value or leave the key out.',
  ],
  [
    chart('tokens: [ethereum/0x1]'),
    'CONFIG_KEY_NOT_FOR_DATASET c.yaml:3:19: datasets.market_chart takes no `tokens` | market_chart takes coins, vs_currencies, granularity, from, to, ignore.',
  ],
  [
    `${source}datasets: { coin_markets: { every: 7h } }`,
    'CONFIG_BAD_DURATION c.yaml:2:36: datasets.coin_markets.every does not divide a day: "7h" | Write a period of at least a minute that divides a day (15m, 1h, 6h, 12h), or whole days (1d, 7d).',
  ],
  [
    'source: { base_url: "https://api.example", timeout: 30 sec }',
    'CONFIG_BAD_DURATION c.yaml:1:53: source.timeout is not a duration: "30 sec" | Write a whole number and one of s, m, h, d: 30s, 15m, 1h, 7d.',
  ],
  [
    'source: { base_url: "https://api.example", max_body: 1GiB }',
    'CONFIG_BAD_SIZE c.yaml:1:54: source.max_body is not a size: "1GiB" | Write a whole number of MiB from 1MiB to 256MiB, such as 64MiB.',
  ],
  [
    'source: { base_url: "https://api.example", max_body: 257MiB }',
    'CONFIG_BAD_SIZE c.yaml:1:54: source.max_body is not a size: "257MiB" | Write a whole number of MiB from 1MiB to 256MiB, such as 64MiB.',
  ],
  [
    'source: { base_url: "https://api.example", concurrency: 0 }',
    'CONFIG_BAD_VALUE c.yaml:1:57: source.concurrency must be a whole number from 1 to 64, not 0 | Correct the value; `coinlake init` writes a file with every key explained.',
  ],
  [
    'source: { base_url: "https://api.example", rate: { calls: 30 } }',
    'CONFIG_BAD_VALUE c.yaml:1:50: source.rate.per must be text, not nothing | Correct the value; `coinlake init` writes a file with every key explained.',
  ],
  [
    'source: { profile: coingecko }',
    'CONFIG_UNKNOWN_PROFILE c.yaml:1:20: source.profile is unknown: "coingecko" | Choose one of interface, coingecko-demo, coingecko-pro.',
  ],
  [
    'source: { profile: interface }',
    'CONFIG_NO_BASE_URL c.yaml:1:9: source.base_url is missing, and the profile interface has no address of its own | Write source.base_url, set COINLAKE_BASE_URL or pass --base-url.',
  ],
  [
    '',
    'CONFIG_NO_BASE_URL c.yaml:1:1: source.base_url is missing, and the profile interface has no address of its own | Write source.base_url, set COINLAKE_BASE_URL or pass --base-url.',
  ],
  [
    'source: { base_url: "http://api.example" }',
    'CONFIG_BAD_URL c.yaml:1:21: source.base_url would send the key unencrypted: "http://api.example" | Use https; http is for services on this machine only (127.0.0.1, ::1, localhost).',
  ],
  [
    'source: { base_url: "https://me:pw@api.example" }',
    'CONFIG_BAD_URL c.yaml:1:21: source.base_url holds a user or password: "https://...@api.example" | Give the key as source.api_key, taken from the environment.',
  ],
  [
    'source: { base_url: "https://api.example?key=1" }',
    'CONFIG_BAD_URL c.yaml:1:21: source.base_url has a query or fragment: "https://api.example?key=1" | End the address with the host or a path.',
  ],
  [
    'source: { base_url: api.example }',
    'CONFIG_BAD_URL c.yaml:1:21: source.base_url is not a web address: "api.example" | Write https://host, or http://127.0.0.1:8400 for this machine.',
  ],
  [
    'source: { base_url: "https://api.example", api_key: a, api_key_file: b }',
    'CONFIG_CONFLICT c.yaml:1:70: source.api_key and source.api_key_file are both there | Keep one of them; several keys go into api_keys and api_key_files.',
  ],
  [
    'source: { base_url: "https://api.example", api_key: "x${KEY}" }',
    'CONFIG_SUBSTITUTION c.yaml:1:53: source.api_key mixes text and ${...} | Write ${NAME} alone: the environment variable holds the whole key.',
  ],
  [
    'source: { base_url: "https://api.example", api_key: "a b" }',
    'CONFIG_BAD_KEY c.yaml:1:53: source.api_key is empty or holds blanks or characters that cannot stand in an HTTP header | Copy the key again, without blanks and line breaks.',
  ],
  [
    'source: { base_url: "https://api.example", api_key: 12345 }',
    'CONFIG_BAD_VALUE c.yaml:1:53: source.api_key must be text | Correct the value; `coinlake init` writes a file with every key explained.',
  ],
  [
    'source: { base_url: "https://api.example", rate: }',
    'CONFIG_BAD_VALUE c.yaml:1:50: source.rate must be a map of keys and values, not null | Correct the value; `coinlake init` writes a file with every key explained.',
  ],
  [
    'source: { base_url: "https://api.example", api_keys: my-secret }',
    'CONFIG_BAD_VALUE c.yaml:1:54: source.api_keys must be a list | Correct the value; `coinlake init` writes a file with every key explained.',
  ],
  [
    'source: { base_url: "https://api.example", api_keys: [a, 12345] }',
    'CONFIG_BAD_VALUE c.yaml:1:58: source.api_keys[1] must be text | Correct the value; `coinlake init` writes a file with every key explained.',
  ],
  [
    'source: { base_url: "https://api.example", api_keys: [a, b, a] }',
    'CONFIG_CONFLICT c.yaml:1:54: source.api_keys and source.api_key_files hold the same key twice | Name each key once, because rate and month belong to the key.',
  ],
  [
    'source: { base_url: "https://api.example", api_key: a, api_keys: [b] }',
    'CONFIG_CONFLICT c.yaml:1:66: source.api_key and source.api_keys are both there | Keep one of them; several keys go into api_keys and api_key_files.',
  ],
  [
    'source: { base_url: "https://api.example", monthly_calls: 100, monthly_reserve: 100 }',
    'CONFIG_CONFLICT c.yaml:1:81: source.monthly_reserve (100) leaves nothing of source.monthly_calls (100) to a backfill | Make it smaller than monthly_calls.',
  ],
  [
    `${source}warehouse: "\${HOME}/lake"`,
    'CONFIG_SUBSTITUTION c.yaml:2:12: warehouse uses the environment: "${HOME}/lake" | Only `source.api_key` may be taken from the environment with ${NAME}; write the value itself.',
  ],
  [
    `${source}sinks: [duckdb, parket]`,
    'CONFIG_UNKNOWN_SINK c.yaml:2:8: sinks is unknown: "parket" | Did you mean `parquet`? Choose one of duckdb, parquet.',
  ],
  [
    `${source}stage: { keep: always }`,
    'CONFIG_BAD_DURATION c.yaml:2:16: stage.keep is neither forever, none nor a duration: "always" | Write forever, none, or a duration such as 30d.',
  ],
  [
    `${source}publish: { every: sometimes }`,
    'CONFIG_BAD_DURATION c.yaml:2:19: publish.every is neither end nor a duration: "sometimes" | Write end, or a duration such as 15m.',
  ],
  [
    '- a\n- b',
    'CONFIG_BAD_VALUE c.yaml:1:1: the file must be a map of keys and values, not ["a","b"] | Correct the value; `coinlake init` writes a file with every key explained.',
  ],
  [
    `${source}datasets: [market_chart]`,
    'CONFIG_BAD_VALUE c.yaml:2:11: datasets must be a map of dataset names, not ["market_chart"] | Correct the value; `coinlake init` writes a file with every key explained.',
  ],
])('%j', (text, problem) => {
  expect(problemsOf(text)).toEqual([problem])
})

test.each([
  ['a tab as indentation', 'source:\n\tbase_url: x', 'c.yaml:2:1'],
  ['a bracket left open', 'sinks: [duckdb\n', 'c.yaml:2:1'],
  ['a key twice', 'warehouse: a\nwarehouse: b\n', 'the key "warehouse" is there twice'],
  ['two documents', 'warehouse: a\n---\nwarehouse: b\n', 'c.yaml:2:1'],
  ['an alias to nothing', 'warehouse: *nowhere', 'c.yaml:1:12'],
])('%s is told with its place', (_, text, where) => {
  const problems = problemsOf(text)
  expect(problems[0]).toMatch(/^CONFIG_SYNTAX .*not readable as YAML/)
  expect(problems[0]).toContain(where)
})

test.each<[string, ConfigFlags, Record<string, string>, string]>([
  [
    'flag --from',
    { from: '2024-13-01' },
    {},
    'CONFIG_BAD_DATE flag --from: the value is not a date: "2024-13-01"',
  ],
  [
    'flag over file',
    { from: '2024-06-01' },
    {},
    'CONFIG_RANGE flag --from: datasets.market_chart.from 2024-06-01 must be before its end 2024-03-31 (c.yaml:3:59)',
  ],
  [
    'flag --every',
    { every: '1h' },
    {},
    'CONFIG_FLAG_UNUSED flag --every: no dataset takes "1h" (datasets: market_chart)',
  ],
  [
    'flag --granularity',
    { granularity: '4h' },
    {},
    'CONFIG_BAD_GRANULARITY flag --granularity: no dataset takes "4h" (datasets: market_chart)',
  ],
  [
    'flag --dataset',
    { datasets: ['markets'] },
    {},
    'CONFIG_UNKNOWN_DATASET flag --dataset: there is no dataset "markets"',
  ],
  [
    'flag --base-url',
    { baseUrl: 'ftp://x' },
    {},
    'CONFIG_BAD_URL flag --base-url: source.base_url is not a web address: "ftp://x"',
  ],
  [
    'env',
    {},
    { COINLAKE_BASE_URL: 'http://10.0.0.1' },
    'CONFIG_BAD_URL env COINLAKE_BASE_URL: source.base_url would send the key unencrypted: "http://10.0.0.1"',
  ],
  [
    'env profile',
    {},
    { COINLAKE_PROFILE: 'interfaces' },
    'CONFIG_UNKNOWN_PROFILE env COINLAKE_PROFILE: source.profile is unknown: "interfaces"',
  ],
])('%s is named as the place', (_, flags, env, start) => {
  const [first] = problemsOf(
    chart('coins: [bitcoin], from: 2024-01-01, to: 2024-03-31'),
    flags,
    env,
  )
  expect(first?.slice(0, start.length)).toBe(start)
})

test('a flag that is wrong for several datasets is told once', () => {
  const text = `${source}datasets:
  market_chart: { coins: [bitcoin] }
  ohlc: { coins: [bitcoin] }
`
  expect(problemsOf(text, { from: 'soon' })).toEqual([
    'CONFIG_BAD_DATE flag --from: the value is not a date: "soon" | Write a day of the calendar such as 2024-01-31, or an ISO time such as 2024-01-31T12:00:00Z.',
  ])
  expect(problemsOf(text, { from: '2024-02-01', to: '2024-01-01' })).toEqual([
    'CONFIG_RANGE flag --from: the start 2024-02-01 must be before its end 2024-01-01 (flag --to) | `to` is not included: a single day runs from 2024-01-01 to 2024-01-02.',
  ])
  expect(problemsOf(text, { vs: 'u$d', coins: 'top:0' })).toHaveLength(2)
})

test('all problems are told at once, one each', () => {
  const text = `source: { base_url: 7, profile: interfac }
warehose: x
datasets:
  market_chart: { coins: [top:x], from: 2024-02-30, granularity: 4h }
  ohlcs: {}
`
  const codes = problemsOf(text).map((problem) => problem.split(':', 3).slice(0, 2).join(':'))
  expect(codes).toEqual([
    'CONFIG_BAD_VALUE c.yaml:1',
    'CONFIG_UNKNOWN_KEY c.yaml:2',
    'CONFIG_UNKNOWN_PROFILE c.yaml:1',
    'CONFIG_UNKNOWN_DATASET c.yaml:5',
    'CONFIG_BAD_TOP c.yaml:4',
    'CONFIG_BAD_GRANULARITY c.yaml:4',
    'CONFIG_BAD_DATE c.yaml:4',
  ])
})

test('sections that --dataset leaves out are still checked', () => {
  const flags = { datasets: ['coins'] }
  expect(problemsOf(chart('from: 2024-02-30'), flags)[0]).toContain('CONFIG_BAD_DATE c.yaml:3:25')
})

test('the key is never part of a message', () => {
  const text = 'source: { base_url: "https://api.example", api_key: "s3cr3t key" }'
  expect(problemsOf(text).join()).not.toContain('s3cr3t')
  expect(problemsOf(text, {}, { COINLAKE_API_KEY: 'other s3cr3t' }).join()).not.toContain('s3cr3t')
})
