import type { Param, ParamType } from './describe-operation.ts'

/** An optional parameter of the query, unless `more` makes it required. */
export function query(
  name: string,
  type: ParamType,
  description: string,
  more: Partial<Param> = {},
): Param {
  return { name, in: 'query', type, required: false, description, ...more }
}

export function pathParam(name: string, description: string, example: string): Param {
  return { name, in: 'path', type: 'string', required: true, description, example }
}

/** Path parameter `{id}`. Some ids are no slugs: `_`, `1move token`. */
export function pathId(what: string, example: string): Param {
  return pathParam('id', `Id of the ${what}.`, example)
}

export const VS_CURRENCY = query(
  'vs_currency',
  'string',
  'Currency code of the values, lower case.',
  { required: true, isCurrency: true, example: 'usd' },
)

export const VS_CURRENCIES = query(
  'vs_currencies',
  'csv',
  'Currency codes of the values, lower case.',
  { required: true, isCurrency: true, example: 'usd,eur' },
)

/** More pages than any listing has, so a higher number is a typo. */
const MAX_PAGE = 1_000_000

export const PAGE = query('page', 'integer', 'Page of the listing, from 1.', {
  default: '1',
  min: 1,
  max: MAX_PAGE,
})

export const PER_PAGE = query('per_page', 'integer', 'Items of a page.', {
  default: '100',
  min: 1,
  max: 250,
})

const DECIMAL_PLACES = Array.from({ length: 19 }, (_, places) => String(places))

/** Without `precision` the service rounds prices by their magnitude. */
export const PRECISION = query(
  'precision',
  'string',
  'Decimal places of prices, 0 to 18, or `full`.',
  { allowed: ['full', ...DECIMAL_PLACES] },
)

/** The sorting of a listing by one of these figures, downwards or upwards. */
export function sorting(...figures: string[]): Param {
  const sorted = figures.flatMap((figure) => [`${figure}_desc`, `${figure}_asc`])
  return choiceWithDefault('order', 'Sorting of the listing.', sorted)
}

export const DEX_PAIR_FORMAT: Param = choiceWithDefault(
  'dex_pair_format',
  'How pairs of decentralized exchanges are written.',
  ['contract_address', 'symbol'],
)

/** A century in days; `max` asks for all days. */
const MAX_DAYS = 36_500

export const DAYS = query('days', 'days', 'Days back from now, or `max`.', {
  required: true,
  max: MAX_DAYS,
  example: '30',
})

/** Without `interval` the step follows from the window (api/granularity.ts). */
export const INTERVAL = query(
  'interval',
  'string',
  'Step of the points; without it the step follows from the window.',
  { allowed: ['daily', 'hourly', '5m'] },
)

/** The only `days` of candles and of volume charts, ascending. */
export const OFFERED_DAYS = ['1', '7', '14', '30', '90', '180', '365']

/** Up to the end of the year 9999. A higher number was probably given in milliseconds. */
const TIME = { required: true, min: 0, max: 253_402_300_799 }

export const FROM = query('from', 'epoch_s', 'First second asked for, epoch seconds UTC.', {
  ...TIME,
  example: '1704067200',
})

export const TO = query('to', 'epoch_s', 'Last second asked for, epoch seconds UTC, inclusive.', {
  ...TIME,
  example: '1706745600',
})

/** An optional switch, off by default. */
export function flag(name: string, description: string): Param {
  return query(name, 'boolean', description, { default: 'false' })
}

export function flagOn(name: string, description: string): Param {
  return { ...flag(name, description), default: 'true' }
}

/** An optional choice; the first value is the default. */
export function choiceWithDefault(
  name: string,
  description: string,
  allowed: readonly string[],
): Param {
  return query(name, 'string', description, { allowed, default: allowed[0]! })
}

/** The parameter by which a list has the items of the present, or those of the past. */
export function status(items: string): Param {
  const description = `active: ${items} that trade now; inactive: ${items} that no longer trade.`
  return choiceWithDefault('status', description, ['active', 'inactive'])
}
