import type { Operation, OperationId } from '../../api/operations.ts'
import type { Param } from '../../api/operations/describe-operation.ts'

/** A request that is refused, and how. */
export interface BadRequest {
  /** What is wrong with it: `missing`, `empty`, `wrong type`, ... */
  fault: string
  /** Below the base path. */
  path: string
  status: number
  says: RegExp
}

/** Wrong values of a parameter with what the refusal says was expected; written by hand. */
const WRONG_VALUES: Readonly<
  Record<string, readonly (readonly [fault: string, value: string, says: RegExp])[]>
> = {
  vs_currency: [
    ['wrong case', 'USD', /"USD", expected a currency code in lower case/],
    ['wrong type', 'u$d', /"u\$d", expected a currency code/],
    ['encoded', 'us%64%20', /"usd ", expected a currency code/],
    ['too long', 'u'.repeat(21), /expected a currency code/],
    ['several', 'usd,eur', /"usd,eur", expected a currency code/],
  ],
  vs_currencies: [
    ['wrong case', 'usd,EUR', /"usd,EUR", expected a currency code in lower case/],
    ['a gap', 'usd,,eur', /expected values between the commas/],
    [
      'too many',
      Array.from({ length: 501 }, (_, i) => `c${i}`).join(','),
      /at most 500 values and not 501/,
    ],
  ],
  ids: [
    ['a gap', 'bitcoin,', /expected values between the commas/],
    ['too long', 'b'.repeat(257), /\(257 characters\), expected at most 256/],
    ['control characters', 'bit%00coin', /expected no control characters/],
  ],
  contract_addresses: [
    ['a gap', ',0xab', /expected values between the commas/],
    [
      'too many',
      Array.from({ length: 101 }, (_, i) => `0x${i}`).join(','),
      /at most 100 values and not 101/,
    ],
    ['too long', `0x${'a'.repeat(255)}`, /expected at most 256 characters/],
  ],
  exchange_ids: [['a gap', 'binance,,kraken', /expected values between the commas/]],
  coin_ids: [['a gap', ',', /expected values between the commas/]],
  price_change_percentage: [
    ['unknown value', '1h,2h', /"1h,2h", expected one of 1h, 24h, 7d/],
    ['wrong case', '7D', /"7D", expected one of/],
  ],
  page: [
    ['wrong type', 'two', /"two", expected an integer from 1 to 1000000/],
    ['a fraction', '1.5', /"1\.5", expected an integer/],
    ['out of bounds', '0', /"0", expected an integer from 1/],
    ['out of bounds', '-1', /"-1", expected an integer from 1/],
    ['out of bounds', '1000001', /expected an integer from 1 to 1000000/],
    ['an exponent', '1e3', /expected an integer/],
    ['hexadecimal', '0x10', /expected an integer/],
    ['other digits', '%D9%A3', /expected an integer/],
  ],
  per_page: [
    ['wrong type', 'all', /"all", expected an integer from 1 to 250/],
    ['out of bounds', '0', /expected an integer from 1 to 250/],
    ['out of bounds', '251', /expected an integer from 1 to 250/],
    ['out of bounds', '99999999999999999999', /expected an integer from 1 to 250/],
  ],
  precision: [
    ['out of bounds', '19', /"19", expected one of full, 0, 1, .*18/],
    ['wrong type', 'half', /expected one of full/],
    ['wrong case', 'Full', /expected one of full/],
  ],
  days: [
    ['wrong type', 'week', /"week", expected/],
    ['out of bounds', '0', /"0", expected/],
    ['out of bounds', '-1', /"-1", expected/],
    ['out of bounds', '36501', /"36501", expected/],
    ['a fraction', '0.5', /"0\.5", expected/],
    ['wrong case', 'MAX', /"MAX", expected/],
  ],
  from: [
    ['wrong type', 'yesterday', /expected epoch seconds from 0/],
    ['wrong type', '2024-01-01', /expected epoch seconds/],
    ['out of bounds', '-1', /"-1", expected epoch seconds from 0/],
    ['milliseconds', '1704067200000', /expected epoch seconds from 0 to 253402300799/],
    ['a fraction', '1704067200.5', /expected epoch seconds/],
  ],
  to: [
    ['wrong type', 'now', /expected epoch seconds/],
    ['milliseconds', '1706745600000', /expected epoch seconds/],
    ['before from', '0', /"0", expected a time not before from \(1704067200\)/],
  ],
  date: [
    ['wrong type', 'today', /expected a calendar date YYYY-MM-DD$/],
    ['another order', '30-12-2024', /expected a calendar date YYYY-MM-DD$/],
    ['no such day', '2023-02-29', /"2023-02-29", expected a calendar date/],
    ['with a time', '2024-12-30T00:00:00Z', /expected a calendar date/],
    ['short', '2024-1-1', /expected a calendar date/],
    ['slashes', '2024%2F12%2F30', /"2024\/12\/30", expected a calendar date/],
  ],
  interval: [
    ['unknown value', 'minutely', /"minutely", expected one of/],
    ['wrong case', 'Daily', /"Daily", expected one of/],
  ],
  order: [
    ['unknown value', 'random', /"random", expected one of/],
    ['wrong case', 'NAME_ASC', /"NAME_ASC", expected one of/],
  ],
  status: [['unknown value', 'gone', /"gone", expected one of active, inactive/]],
  filter: [['unknown value', 'defi', /"defi", expected one of nft/]],
  include_tickers: [['unknown value', 'true', /"true", expected one of all, unexpired/]],
  dex_pair_format: [['unknown value', 'name', /expected one of contract_address, symbol/]],
  category: [['too long', 'c'.repeat(257), /expected at most 256 characters/]],
  query: [
    ['too long', 'q'.repeat(257), /\(257 characters\), expected at most 256 characters/],
    ['control characters', 'a%0Ab', /"a\\nb", expected no control characters/],
  ],
  id: [
    ['too long', 'i'.repeat(257), /\(257 characters\), expected at most 256 characters/],
    ['control characters', 'bit%00coin', /expected no control characters/],
  ],
  contract_address: [['too long', 'a'.repeat(257), /expected at most 256 characters/]],
}

const WRONG_BOOLEANS: readonly (readonly [string, string, RegExp])[] = [
  ['wrong type', '1', /"1", expected true or false/],
  ['wrong case', 'True', /"True", expected true or false/],
]

/** Wrong values of a parameter; none is a hole in the table above. */
export function wrongValues(param: Param): readonly (readonly [string, string, RegExp])[] {
  return param.type === 'boolean' ? WRONG_BOOLEANS : (WRONG_VALUES[param.name] ?? [])
}

/** Every bad request of one operation: one thing is wrong with each, the rest is as in the examples. */
export function badRequests(operation: Operation): BadRequest[] {
  const inQuery = operation.params.filter((param) => param.in === 'query')
  return [
    ...inQuery.filter(({ required }) => required).map((param) => missing(operation, param)),
    ...inQuery.map((param) => bad(operation, 'empty', { [param.name]: '' }, named(param, /empty/))),
    ...inQuery.map((param) => repeated(operation, param)),
    ...operation.params.flatMap((param) =>
      wrongValues(param).map(([fault, value, says]) =>
        bad(operation, `${param.name}: ${fault}`, { [param.name]: value }, named(param, says)),
      ),
    ),
    ...unknown(operation),
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

/** A slip of the finger is told what was meant; anything else what is known. */
function unknown(operation: Operation): BadRequest[] {
  const path = pathWith(operation, {})
  const join = path.includes('?') ? '&' : '?'
  const inQuery = operation.params.filter((param) => param.in === 'query')
  const [first] = inQuery
  const hint = first === undefined ? /takes none$/ : new RegExp(`known are ${first.name}`)
  const says = new RegExp(`^Unknown parameter "zzzzzz": .*${hint.source}`)
  const others = [{ fault: 'unknown', path: `${path}${join}zzzzzz=1`, status: 400, says }]
  if (first === undefined) return others
  const slip = `${first.name}s`
  const meant = new RegExp(`^Unknown parameter "${slip}": did you mean ${first.name}\\?$`)
  return [...others, { fault: 'a slip', path: `${path}${join}${slip}=1`, status: 400, says: meant }]
}

function named(param: Param, says: RegExp): RegExp {
  return new RegExp(`^Invalid parameter ${param.name}: .*${says.source}`)
}

/** What a 404 says for an id that nobody knows, by operation; written by hand. */
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
