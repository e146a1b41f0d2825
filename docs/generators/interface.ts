import { MAX_ITEMS, MAX_VALUE_CHARS } from '../../api/operation.ts'
import type { Operation, Param } from '../../api/operation.ts'
import { operations } from '../../api/operations.ts'
import { stepRuleText } from '../../api/step-rules.ts'
import { profiles } from '../../config/profiles.ts'
import type { Profile } from '../../config/profiles.ts'
import type { GeneratedPage } from '../generated-page.ts'
import { code, table } from './markdown.ts'
import { NAMED_PARAMS, openPoints } from './open-points.ts'

const INTRODUCTION = `# The /v2 interface, as coinlake asks and serves it

Made by \`npm run docs\` from \`api/\`. The interface names 32 operations and leaves much open. This page says
what coinlake chose, and why. The client, the service (\`coinlake serve\`) and the OpenAPI document
(\`coinlake openapi\`, with every field of every answer) are made from the same description.`

const REFUSALS: readonly (readonly [string, string, string])[] = [
  [
    '400',
    'a parameter is missing, empty, repeated, unknown, of the wrong type or out of bounds',
    '`Invalid parameter page: "two", expected an integer from 1 to 1000000`',
  ],
  [
    '401',
    'no key, or one that is unknown or revoked',
    '`invalid API key: provide a valid key as Authorization: Bearer <KEY>`',
  ],
  ['404', 'an unknown id or path, or an id that was never exported', '`coin not found`'],
  ['405', 'any method but GET and HEAD', '`method POST is not allowed: every operation is a GET`'],
  [
    '429',
    'the calls of the window are used up; Retry-After in seconds',
    '`rate limit of 30 calls exceeded: wait for the time in Retry-After`',
  ],
  [
    '431',
    'path, query and headers are longer than 64 kB',
    '`the path, query and headers together are too long: ask for less at once`',
  ],
  ['500', 'a fault of the service; only the log names it', '`Internal Server Error`'],
]

/** docs/interface.md: the open points of the interface, the choices, and every parameter. */
export const interfacePage: GeneratedPage = {
  file: 'docs/interface.md',
  generate: () =>
    `${[
      INTRODUCTION,
      '## What the interface leaves open',
      table(
        ['open', 'chosen', 'why'],
        openPoints.map(({ open, chosen, why }) => [open, chosen, why]),
      ),
      '## Operations',
      table(
        ['operation', 'answer', 'pages', 'may be kept'],
        Object.values(operations).map(operationRow),
      ),
      '## Parameters',
      `The interface names those in **bold**; the others are our choice. A value has at most ${MAX_VALUE_CHARS} characters, a list (csv) at most ${MAX_ITEMS} values unless another number stands here; ids in paths are percent-encoded.`,
      ...Object.values(operations)
        .filter(({ params }) => params.length > 0)
        .flatMap((operation) => [
          `### ${operation.id}`,
          table(
            ['parameter', 'in', 'type', 'default', 'meaning'],
            operation.params.map((param) => paramRow(operation, param)),
          ),
        ]),
      '## Steps of series',
      table(
        ['operation', 'step of the points, without an interval'],
        Object.values(operations).flatMap(({ id, steps }) =>
          steps === undefined ? [] : [[code(id), stepRuleText(steps)]],
        ),
      ),
      'Points jitter, and the last one has the time of the answer. Daily points come up to 35 minutes after 00:00 UTC.',
      '## Refusals',
      'Every refusal is `{"error": "..."}` as JSON. X-RateLimit-Limit, -Remaining and -Reset stand on every answer, good or bad, as digits.',
      table(['status', 'when', 'says, for one'], REFUSALS),
      '## Profiles',
      'Other providers of the same operations, for `source.profile` and for `coinlake serve --profile coingecko-pro`.',
      profileTable(),
    ].join('\n\n')}\n`,
}

function operationRow({ id, summary, paging, cacheAgeS, steps }: Operation): string[] {
  const pages =
    paging.kind === 'none'
      ? ''
      : `${paging.defaultPerPage}${paging.perPageParam === null ? '' : ` (up to ${paging.maxPerPage})`}`
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
  return type
}

function valuesOf({ name, allowed }: Param): string {
  if (allowed === undefined || name === 'precision') return ''
  return ` One of ${allowed.map(code).join(', ')}.`
}

function profileTable(): string {
  const all = Object.values(profiles)
  const row = (title: string, fact: (profile: Profile) => string): string[] => [
    title,
    ...all.map(fact),
  ]
  return table(
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
