import { MAX_ITEMS, MAX_VALUE_CHARS, type Param } from '../../api/operations/describe-operation.ts'
import { type Operation, type OperationId, operations } from '../../api/operations.ts'
import { stepRuleText } from '../../api/step-rules.ts'
import { profiles, type Profile } from '../../config/profiles.ts'
import { code, partOf, tableLines } from './markdown.ts'

/** Query parameters that the interface names; every other one is our choice. */
const NAMED_PARAMS: Partial<Record<OperationId, readonly string[]>> = {
  'simple/price': ['ids', 'vs_currencies'],
  'coins/markets': ['vs_currency', 'page', 'per_page'],
  'coins/{id}/history': ['date'],
  'coins/{id}/market_chart': ['vs_currency', 'days'],
  'coins/{id}/market_chart/range': ['from', 'to'],
  'coins/{id}/ohlc': ['vs_currency', 'days'],
}

/** The lines of a block of docs/interface.md. */
export function interfaceLines(what: string): readonly string[] {
  return partOf({ operations: operationTable, parameters, steps, profiles: profileTable }, what)
}

function operationTable(): string[] {
  return tableLines(
    ['operation', 'answer', 'pages', 'may be kept'],
    Object.values(operations).map(operationRow),
  )
}

function parameters(): string[] {
  return [
    `The interface names those in **bold**; the others are our choice. A value has at most ${MAX_VALUE_CHARS} characters, a list (csv) at most ${MAX_ITEMS} values unless another number stands here; ids in paths are percent-encoded.`,
    ...Object.values(operations)
      .filter(({ params }) => params.length > 0)
      .flatMap((operation) => [
        '',
        `### ${operation.id}`,
        '',
        ...tableLines(
          ['parameter', 'in', 'type', 'default', 'meaning'],
          operation.params.map((param) => paramRow(operation, param)),
        ),
      ]),
  ]
}

function steps(): string[] {
  return tableLines(
    ['operation', 'step of the points, without an interval'],
    Object.values(operations).flatMap(({ id, steps: rule }) =>
      rule === undefined ? [] : [[code(id), stepRuleText(rule)]],
    ),
  )
}

function operationRow({ id, summary, paging, cacheAgeS, steps }: Operation): string[] {
  const pages = paging === undefined ? '' : `${paging.defaultPerPage} (up to ${paging.maxPerPage})`
  const isByStep = steps !== undefined && id.includes('market_chart')
  return [
    code(`GET /v2/${id}`),
    summary,
    pages,
    isByStep ? '30 s, 30 min or 12 h' : `${cacheAgeS} s`,
  ]
}

function paramRow({ id }: Operation, param: Param): string[] {
  const isNamed = param.in === 'path' || NAMED_PARAMS[id]?.includes(param.name) === true
  const fallback = param.required
    ? 'required'
    : param.default === undefined
      ? ''
      : code(param.default)
  return [
    isNamed ? `**${code(param.name)}**` : code(param.name),
    param.in,
    typeOf(param),
    fallback,
    `${param.description}${valuesOf(param)}`,
  ]
}

function typeOf({ type, min, max, maxItems }: Param): string {
  if (type === 'integer') return `integer, ${min ?? 0} to ${max ?? ''}`
  if (type === 'csv' && maxItems !== undefined) return `csv, at most ${maxItems}`
  if (type === 'epoch_s') return 'epoch seconds'
  if (type === 'date') return 'date, YYYY-MM-DD'
  return type
}

function valuesOf({ name, allowed }: Param): string {
  if (allowed === undefined || name === 'precision') return ''
  return ` One of ${allowed.map(code).join(', ')}.`
}

function profileTable(): string[] {
  const all = Object.values(profiles)
  const row = (title: string, fact: (profile: Profile) => string): string[] => [
    title,
    ...all.map(fact),
  ]
  return tableLines(
    ['', ...all.map(({ name }) => code(name))],
    [
      row('base path', ({ basePath }) => code(basePath)),
      row('key', ({ auth }) => code(`${auth.header}: ${auth.template}`)),
      row('ping', ({ ping, served }) => code(JSON.stringify({ [ping.field]: served.pingText }))),
      row('date', ({ dateFormats }) => dateFormats.join(' or ')),
      row('days back', ({ maxHistoryDays }) =>
        maxHistoryDays === null ? 'all' : String(maxHistoryDays),
      ),
      row('missing parameter', ({ served }) => String(served.missingParamStatus)),
      row('unknown, repeated or empty parameter', ({ served }) =>
        served.params === 'strict' ? '400' : 'ignored, or the last counts',
      ),
      row('page out of bounds', ({ served }) =>
        served.params === 'strict' ? '400' : 'the nearest',
      ),
      row('body of a refusal', ({ served }) =>
        served.errors === 'flat' ? 'error text' : 'error text, or a code of the provider',
      ),
      row('rate headers', ({ served }) =>
        served.rateHeaders === 'always' ? 'always, digits' : 'with 429, the reset as a date-time',
      ),
      row('`days` of volume_chart', ({ served }) =>
        served.requiredParams.some(({ param }) => param === 'days') ? 'required' : 'default 1',
      ),
    ],
  )
}
