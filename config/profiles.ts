export type ProfileName = 'interface' | 'coingecko-demo' | 'coingecko-pro'

/** Calls permitted in a window. */
export interface Rate {
  calls: number
  perMs: number
}

/** How a calendar date is written in a query. */
export type DateFormat = 'yyyy-mm-dd' | 'dd-mm-yyyy'

/** A parameter that a provider treats otherwise than the interface. */
export interface ParamFact {
  /** Path of the operation below the base path; null = every operation that has the parameter. */
  operation: string | null
  param: string
}

/** Operations that a provider's plan does not include, though its service knows them. */
export interface PlanLimit extends ParamFact {
  /** These values are refused; null = any value is. */
  values: readonly string[] | null
}

/**
 * How a service of this profile answers, beyond the operations themselves: for coinlake in its place
 * (service/), so that clients made for the provider meet what they know.
 */
export interface ServedFacts {
  /** The text of ping in its field. */
  pingText: string
  /**
   * `strict`: what is unknown, repeated, empty or out of bounds is refused. `lenient`: unknown and empty
   * parameters are ignored, pages are clamped, codes may be in upper case, the last of repeated ones counts.
   */
  params: 'strict' | 'lenient'
  missingParamStatus: 400 | 422
  /** `flat`: {"error": text} always. `coded`: refusals of key, plan and rate carry the provider's codes. */
  errors: 'flat' | 'coded'
  /** `always`: digits on every answer. `when_refused`: only with 429, the reset as a date-time. */
  rateHeaders: 'always' | 'when_refused'
  /** Headers of keys that belong to another host of the provider, and the code of the refusal. */
  foreignKeyHeaders: Readonly<Record<string, number>>
  /** Parameters that must be given though the interface does not want them. */
  requiredParams: readonly ParamFact[]
  /** Values that are taken beside those of the interface. */
  moreAllowed: readonly (ParamFact & { value: string })[]
  outsidePlan: readonly PlanLimit[]
  /** from and to of a range may be dates, too. */
  rangeTakesDates: boolean
  /** How many coins search/trending lists at most; null = as many as are known. */
  trendingCoins: number | null
}

/**
 * The facts in which one provider of the service differs from another. Facts only: code that asks
 * for a profile's name instead of a fact is a fact that is missing here.
 */
export interface Profile {
  name: ProfileName
  title: string
  /** Where the service lives, without the base path; null = the config has to say. */
  defaultBaseUrl: string | null
  /** Stands between the base URL and an operation's path. */
  basePath: string
  /** The header that carries the key; `{key}` in the template stands for it. */
  auth: { header: string; template: string; queryParam: string | null }
  isKeyRequired: boolean
  /** The field of ping's body that tells this service; `equals` null = any text will do. */
  ping: { field: string; equals: string | null }
  /** Days back that the key's plan reaches; null = everything. */
  maxHistoryDays: number | null
  /** Known before the first answer; null = learned from headers. */
  rate: Rate | null
  monthlyCalls: number | null
  /** Whether its plan has coins/list?status=inactive, and the histories of what stands there. */
  listsInactive: boolean
  /** How a calendar date is written in a query. */
  dateFormat: DateFormat
  /** All forms that the service understands. */
  dateFormats: readonly DateFormat[]
  served: ServedFacts
}

const MINUTE_MS = 60_000
/** The provider of both plans asks for `days` where the interface has a rolling day. */
const DAYS_REQUIRED: readonly ParamFact[] = [
  { operation: 'exchanges/{id}/volume_chart', param: 'days' },
]
const COINGECKO: ServedFacts = {
  pingText: '(V3) To the Moon!',
  params: 'lenient',
  missingParamStatus: 422,
  errors: 'coded',
  rateHeaders: 'when_refused',
  foreignKeyHeaders: {},
  requiredParams: DAYS_REQUIRED,
  moreAllowed: [],
  outsidePlan: [],
  rangeTakesDates: false,
  trendingCoins: null,
}

/** Every provider we know, by name. */
export const profiles: Readonly<Record<ProfileName, Profile>> = {
  interface: {
    name: 'interface',
    title: 'the /v2 interface',
    defaultBaseUrl: null,
    basePath: '/v2',
    auth: { header: 'authorization', template: 'Bearer {key}', queryParam: null },
    isKeyRequired: true,
    ping: { field: 'status', equals: 'OK' },
    maxHistoryDays: null,
    rate: null,
    monthlyCalls: null,
    listsInactive: false,
    dateFormat: 'yyyy-mm-dd',
    dateFormats: ['yyyy-mm-dd'],
    served: {
      pingText: 'OK',
      params: 'strict',
      missingParamStatus: 400,
      errors: 'flat',
      rateHeaders: 'always',
      foreignKeyHeaders: {},
      requiredParams: [],
      moreAllowed: [],
      outsidePlan: [],
      rangeTakesDates: false,
      trendingCoins: 7,
    },
  },
  'coingecko-demo': {
    name: 'coingecko-demo',
    title: 'CoinGecko, demo plan or no key',
    defaultBaseUrl: 'https://api.coingecko.com',
    basePath: '/api/v3',
    auth: { header: 'x-cg-demo-api-key', template: '{key}', queryParam: 'x_cg_demo_api_key' },
    isKeyRequired: false,
    ping: { field: 'gecko_says', equals: null },
    maxHistoryDays: 365,
    rate: { calls: 100, perMs: MINUTE_MS },
    monthlyCalls: 10_000,
    listsInactive: false,
    dateFormat: 'dd-mm-yyyy',
    dateFormats: ['dd-mm-yyyy'],
    served: {
      ...COINGECKO,
      foreignKeyHeaders: { 'x-cg-pro-api-key': 10_010 },
      outsidePlan: [
        { operation: null, param: 'interval', values: ['5m'] },
        { operation: 'coins/{id}/ohlc', param: 'interval', values: null },
        { operation: 'coins/list', param: 'status', values: ['inactive'] },
      ],
    },
  },
  'coingecko-pro': {
    name: 'coingecko-pro',
    title: 'CoinGecko, paid plans',
    defaultBaseUrl: 'https://pro-api.coingecko.com',
    basePath: '/api/v3',
    auth: { header: 'x-cg-pro-api-key', template: '{key}', queryParam: 'x_cg_pro_api_key' },
    isKeyRequired: true,
    ping: { field: 'gecko_says', equals: null },
    maxHistoryDays: null,
    rate: null,
    monthlyCalls: null,
    listsInactive: true,
    dateFormat: 'yyyy-mm-dd',
    dateFormats: ['yyyy-mm-dd', 'dd-mm-yyyy'],
    served: {
      ...COINGECKO,
      foreignKeyHeaders: { 'x-cg-demo-api-key': 10_011 },
      moreAllowed: [{ operation: 'coins/{id}/ohlc', param: 'days', value: 'max' }],
      rangeTakesDates: true,
    },
  },
}

/**
 * The words of ping, each profile's own. All will do for any profile, as recordings of one provider
 * may be served under the profile of another; a wrong profile shows in paths and in the key.
 */
export const KNOWN_PINGS: readonly Profile['ping'][] = Object.values(profiles).map(
  ({ ping }) => ping,
)
