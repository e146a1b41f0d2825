import type { Operation, OperationId } from '../../api/operations.ts'
import type { Param } from '../../api/operations/describe-operation.ts'

/** A request that is refused, and how. */
export interface BadRequest {
  /** The mistake: `missing`, `empty`, `wrong type`, ... */
  fault: string
  /** Below the base path. */
  path: string
  status: number
  says: RegExp
}

type Wrong = readonly [expected: RegExp, ...values: string[]]

const GAP = /values between the commas/
const LONG = /at most 256 characters/
const CODE = /a currency code in lower case/
const CONTROL = /no control characters/
const COUNT = /an integer from 1 to 1000000/
const DATE = /a calendar date YYYY-MM-DD$/

/** Values that are wrong for a parameter, after what the refusal says was expected; written by hand. */
const WRONG_VALUES: Readonly<Record<string, readonly Wrong[]>> = {
  vs_currency: [[CODE, 'USD', 'u$d', 'us%64%20', 'u'.repeat(21), 'usd,eur']],
  vs_currencies: [
    [CODE, 'usd,EUR'],
    [GAP, 'usd,,eur'],
    [/at most 500 values and not 501/, Array.from({ length: 501 }, (_, i) => `c${i}`).join(',')],
  ],
  ids: [
    [GAP, 'bitcoin,'],
    [/at most 256/, 'b'.repeat(257)],
    [CONTROL, 'bit%00coin'],
  ],
  contract_addresses: [
    [GAP, ',0xab'],
    [/at most 100 values and not 101/, Array.from({ length: 101 }, (_, i) => `0x${i}`).join(',')],
    [LONG, `0x${'a'.repeat(255)}`],
  ],
  exchange_ids: [[GAP, 'binance,,kraken']],
  coin_ids: [[GAP, ',']],
  price_change_percentage: [[/one of 1h, 24h, 7d/, '1h,2h', '7D']],
  page: [[COUNT, 'two', '1.5', '0', '-1', '1000001', '1e3', '0x10', '%D9%A3']],
  per_page: [[/an integer from 1 to 250/, 'all', '0', '251', '99999999999999999999']],
  precision: [[/one of full, 0, 1, .*18/, '19', 'half', 'Full']],
  days: [[/./, 'week', '0', '-1', '36501', '0.5', 'MAX']],
  from: [
    [
      /epoch seconds from 0 to 253402300799/,
      'yesterday',
      '2024-01-01',
      '-1',
      '1704067200000',
      '1704067200.5',
    ],
  ],
  to: [
    [/epoch seconds/, 'now', '1706745600000'],
    [/a time not before from \(1704067200\)/, '0'],
  ],
  date: [
    [DATE, 'today', '30-12-2024', '2023-02-29', '2024-12-30T00:00:00Z', '2024-1-1'],
    [DATE, '2024%2F12%2F30'],
  ],
  interval: [[/one of/, 'minutely', 'Daily']],
  order: [[/one of/, 'random', 'NAME_ASC']],
  status: [[/one of active, inactive/, 'gone']],
  filter: [[/one of nft/, 'defi']],
  include_tickers: [[/one of all, unexpired/, 'true']],
  dex_pair_format: [[/one of contract_address, symbol/, 'name']],
  category: [[LONG, 'c'.repeat(257)]],
  query: [
    [LONG, 'q'.repeat(257)],
    [CONTROL, 'a%0Ab'],
  ],
  id: [
    [LONG, 'i'.repeat(257)],
    [CONTROL, 'bit%00coin'],
  ],
  contract_address: [[LONG, 'a'.repeat(257)]],
}

/** Wrong values of a parameter, each with the refusal that shows it; none is a hole in the table above. */
export function wrongValues(param: Param): { value: string; says: RegExp }[] {
  const wrong: readonly Wrong[] =
    param.type === 'boolean' ? [[/true or false/, '1', 'True']] : (WRONG_VALUES[param.name] ?? [])
  return wrong.flatMap(([expected, ...values]) =>
    values.map((value) => ({
      value,
      says: new RegExp(`${shown(decodeURIComponent(value))}, expected .*${expected.source}`),
    })),
  )
}

/** The start of a value as a refusal shows it. */
function shown(value: string): string {
  const text = JSON.stringify(value.slice(0, 20)).slice(0, -1)
  return `${text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}.*`
}

/** Every bad request of one operation: one thing is wrong with each, the rest is as in the examples. */
export function badRequests(operation: Operation): BadRequest[] {
  const inQuery = operation.params.filter((param) => param.in === 'query')
  return [
    ...inQuery.filter(({ required }) => required).map((param) => missing(operation, param)),
    ...inQuery.map((param) => bad(operation, 'empty', { [param.name]: '' }, named(param, /empty/))),
    ...inQuery.map((param) => repeated(operation, param)),
    ...operation.params.flatMap((param) =>
      wrongValues(param).map(({ value, says }) =>
        bad(operation, `${param.name} is wrong`, { [param.name]: value }, named(param, says)),
      ),
    ),
    unknown(operation),
  ]
}

/** Examples of all required parameters, and what is changed of them; values as they stand in a URL. */
export function pathWith(
  operation: Operation,
  changes: Readonly<Record<string, string | null>>,
): string {
  let path: string = operation.id
  const query: string[] = []
  for (const param of operation.params) {
    const preset = param.required ? encodeURIComponent(param.example ?? '') : null
    const value = changes[param.name] === undefined ? preset : changes[param.name]!
    if (param.in === 'path') path = path.replace(`{${param.name}}`, value ?? '')
    else if (value !== null) query.push(`${param.name}=${value}`)
  }
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

function bad(
  operation: Operation,
  fault: string,
  changes: Readonly<Record<string, string | null>>,
  says: RegExp,
): BadRequest {
  return { fault, path: pathWith(operation, changes), status: 400, says }
}

function missing(operation: Operation, param: Param): BadRequest {
  const says = new RegExp(`^Missing parameter ${param.name}$`)
  return bad(operation, `${param.name}: missing`, { [param.name]: null }, says)
}

function repeated(operation: Operation, param: Param): BadRequest {
  const value = encodeURIComponent(param.example ?? param.default ?? 'x')
  const { path } = bad(operation, '', { [param.name]: value }, /./)
  const says = named(param, /given 2 times, expected it once/)
  return {
    fault: `${param.name}: repeated`,
    path: `${path}&${param.name}=${value}`,
    status: 400,
    says,
  }
}

function unknown(operation: Operation): BadRequest {
  const path = pathWith(operation, {})
  const join = path.includes('?') ? '&' : '?'
  const first = operation.params.find((param) => param.in === 'query')
  const hint = first === undefined ? /takes none$/ : new RegExp(`known are ${first.name}`)
  const says = new RegExp(`^Unknown parameter "zzzzzz": .*${hint.source}`)
  return { fault: 'unknown', path: `${path}${join}zzzzzz=1`, status: 400, says }
}

function named(param: Param, says: RegExp): RegExp {
  return new RegExp(`^Invalid parameter ${param.name}: .*${says.source}`)
}

/** The 404 for an unknown id, by operation; written by hand. */
export const NOT_FOUND: Partial<Record<OperationId, string>> = {
  'coins/{id}': 'coin not found',
  'coins/{id}/tickers': 'coin not found',
  'coins/{id}/history': 'coin not found',
  'coins/{id}/market_chart': 'coin not found',
  'coins/{id}/market_chart/range': 'coin not found',
  'coins/{id}/ohlc': 'coin not found',
  'coins/{id}/contract/{contract_address}': 'token not found',
  'coins/{id}/contract/{contract_address}/market_chart': 'token not found',
  'coins/{id}/contract/{contract_address}/market_chart/range': 'token not found',
  'exchanges/{id}': 'exchange not found',
  'exchanges/{id}/tickers': 'exchange not found',
  'exchanges/{id}/volume_chart': 'exchange not found',
  'derivatives/exchanges/{id}': 'derivative exchange not found',
}
