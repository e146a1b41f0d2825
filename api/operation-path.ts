import { CoinlakeError } from '../config/coinlake-error.ts'
import type { DateFormat } from '../config/profiles.ts'
import type { Operation } from './operations.ts'
import type { Param, ParamValues } from './operations/describe-operation.ts'

/**
 * Path and query of a request, without a leading slash: `coins/1move%20token/ohlc?vs_currency=usd&days=7`. Query
 * parameters keep the operation's order, so equal requests have equal URLs. Empty values are left out. Dates come as
 * YYYY-MM-DD and leave in the `dateFormat`.
 *
 * @throws CoinlakeError BAD_PARAM for an unknown or missing parameter, or an id that is no path segment.
 */
export function operationPath(
  operation: Operation,
  params: ParamValues,
  dateFormat?: DateFormat,
): string {
  const known = new Set(operation.params.map((param) => param.name))
  for (const name of Object.keys(params)) {
    if (!known.has(name)) throw badParam(operation, `has no parameter ${JSON.stringify(name)}`)
  }
  let path: string = operation.id
  const query: string[] = []
  for (const param of operation.params) {
    const value = params[param.name] ?? ''
    if (value === '') {
      if (param.required) throw badParam(operation, `needs the parameter ${param.name}`)
      continue
    }
    if (param.in === 'path')
      path = path.replace(`{${param.name}}`, () => encodeSegment(operation, value))
    else query.push(`${param.name}=${encodeQueryValue(written(param, value, dateFormat))}`)
  }
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

function encodeSegment(operation: Operation, value: string): string {
  // URL parsers resolve dot segments, even percent-encoded ones, and would ask another path.
  if (value === '.' || value === '..') {
    throw badParam(operation, `cannot be asked for the id ${JSON.stringify(value)}`)
  }
  return encodeURIComponent(value)
}

/**
 * A value as the provider wants it. Day and month in the wrong order would go unnoticed on the days 1 to 12 of a month.
 */
function written({ type }: Param, value: string, dateFormat?: DateFormat): string {
  const isTurned = type === 'date' && dateFormat === 'dd-mm-yyyy'
  return isTurned ? value.split('-').toReversed().join('-') : value
}

/** Commas stay: a query may have them, and encoded lists of ids come near the limits of URLs. */
function encodeQueryValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',')
}

function badParam(operation: Operation, what: string): CoinlakeError {
  return new CoinlakeError(`operation ${operation.id} ${what}`, {
    code: 'BAD_PARAM',
    hint: 'See the parameters of the operation in api/operations/.',
  })
}
