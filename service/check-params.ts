import type { Param, ParamValues } from '../api/operations/describe-operation.ts'
import type { Operation } from '../api/operations.ts'
import { checkValue, type ValueRules } from './check-value.ts'

/** The decoded parameters of a request. A query may have a name several times. */
export interface GivenParams {
  path: Readonly<Record<string, string>>
  query: ReadonlyMap<string, readonly string[]>
}

export interface ParamRules extends ValueRules {
  missingStatus: 400 | 422
  /** Query parameters that belong to the service, such as the key. */
  ignored: readonly string[]
}

export type CheckedParams =
  | { ok: true; params: ParamValues }
  | { ok: false; status: 400 | 422; message: string }

/** A refusal quotes this much of a wrong value. */
const SHOWN_CHARS = 60

/** Checks the parameters of a request and fills in defaults. A refusal names the first wrong parameter. */
export function checkParams(
  operation: Operation,
  given: GivenParams,
  rules: ParamRules,
): CheckedParams {
  const unknown = rules.isLenient ? null : unknownText(operation, given, rules)
  if (unknown !== null) return refusal(unknown)
  const unsupported = operation.unsupported?.find((name) => isGiven(given.query.get(name)))
  if (unsupported !== undefined) return refusal(`Parameter ${unsupported} is not answered here`)
  const params: Record<string, string> = {}
  for (const param of operation.params) {
    const values =
      param.in === 'path' ? [given.path[param.name] ?? ''] : (given.query.get(param.name) ?? [])
    const value = values.at(-1)
    if (value === undefined || (value === '' && rules.isLenient)) {
      if (param.default !== undefined) params[param.name] = param.default
      if (!param.required) continue
      return refusal(`Missing parameter ${param.name}`, rules.missingStatus)
    }
    if (values.length > 1 && !rules.isLenient) {
      return refusal(invalidText(param, `given ${values.length} times`, 'it once'))
    }
    if (value === '') return refusal(invalidText(param, 'empty', 'a value'))
    const checked = checkValue(param, value, rules)
    if (!checked.ok) return refusal(invalidText(param, shown(value), checked.expected))
    params[param.name] = checked.value
  }
  const disorder = disorderText(params)
  return disorder === null || rules.isLenient ? { ok: true, params } : refusal(disorder)
}

/** The refusal of a query, still encoded, of which a pair cannot be decoded; null = every pair can. */
export function undecodableText(query: string): string | null {
  const wrong = query.split('&').find((pair) => decoded(pair) === null)
  if (wrong === undefined) return null
  // Without the value, which may be a key.
  const [name = ''] = wrong.split('=', 1)
  return `Invalid parameter ${name.slice(0, SHOWN_CHARS)}, expected percent-encoded UTF-8`
}

/** The text is returned, because the bundler drops a call of which only the error counts. */
function decoded(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return null
  }
}

function refusal(message: string, status: 400 | 422 = 400): CheckedParams {
  return { ok: false, status, message }
}

function isGiven(values: readonly string[] | undefined): boolean {
  return values !== undefined && values.some((value) => value !== '')
}

function unknownText(
  operation: Operation,
  { query }: GivenParams,
  { ignored }: ParamRules,
): string | null {
  const known = operation.params.filter((param) => param.in === 'query').map(({ name }) => name)
  const name = [...query.keys()].find((name) => !known.includes(name) && !ignored.includes(name))
  if (name === undefined) return null
  const hint = known.length === 0 ? 'this operation takes none' : `known are ${known.join(', ')}`
  return `Unknown parameter ${shown(name)}: ${hint}`
}

function invalidText(param: Param, what: string, expected: string): string {
  return `Invalid parameter ${param.name}: ${what}, expected ${expected}`
}

function shown(value: string): string {
  return JSON.stringify(value.length > SHOWN_CHARS ? `${value.slice(0, SHOWN_CHARS)}...` : value)
}

function disorderText({ from, to }: Record<string, string>): string | null {
  if (from === undefined || to === undefined || Number(from) <= Number(to)) return null
  return `Invalid parameter to: ${JSON.stringify(to)}, expected a time not before from (${from})`
}
