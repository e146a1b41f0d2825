import { CoinlakeError } from '../config/coinlake-error.ts'
import type { Operation, ParamValues } from './operation.ts'

/**
 * Path and query of a request below the base path, without a leading slash:
 * `coins/1move%20token/ohlc?vs_currency=usd&days=7`. Query parameters come in the order of the
 * operation, so that equal requests have equal URLs; empty values are left out.
 *
 * @throws CoinlakeError BAD_PARAM for an unknown or missing parameter, or an id that is no path segment.
 */
export function operationPath(operation: Operation, params: ParamValues): string {
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
    else query.push(`${param.name}=${encodeQueryValue(value)}`)
  }
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

function encodeSegment(operation: Operation, value: string): string {
  // URL parsers resolve dot segments even when they are percent-encoded: another path would be asked.
  if (value === '.' || value === '..') {
    throw badParam(operation, `cannot be asked for the id ${JSON.stringify(value)}`)
  }
  return encodeURIComponent(value)
}

/** Commas stay readable: they are allowed in a query, and lists of ids come near the limits of URLs. */
function encodeQueryValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',')
}

function badParam(operation: Operation, what: string): CoinlakeError {
  return new CoinlakeError(`operation ${operation.id} ${what}`, {
    code: 'BAD_PARAM',
    hint: 'See the parameters of the operation in api/operations/.',
  })
}
