import { MINUTE_MS } from './values/duration.ts'

export type ProfileName = 'interface' | 'coingecko-demo' | 'coingecko-pro'

/** Calls permitted in a window. */
export interface CallRate {
  calls: number
  perMs: number
}

/** How a calendar date is written in a query. */
export type DateFormat = 'yyyy-mm-dd' | 'dd-mm-yyyy'

/** A parameter that a provider treats differently from the interface. */
export interface ParamFact {
  /** Path of the operation below the base path; null = every operation that has the parameter. */
  operation: string | null
  param: string
}

/** Values of a parameter that a provider's plan does not include. */
export interface PlanLimit extends ParamFact {
  /** The refused values; null = all values. */
  values: readonly string[] | null
}

/** The form of the answers of `coinlake serve` under this profile, so that the provider's clients work. */
export interface ServedFacts {
  /** The text of ping in its field. */
  pingText: string
  /**
   * - `strict`: unknown, repeated and empty parameters and values out of bounds are refused.
   * - `lenient`: unknown and empty ones are ignored, pages are clamped, codes may be in upper case. The last of
   *   repeated ones counts.
   */
  params: 'strict' | 'lenient'
  missingParamStatus: 400 | 422
  /** `flat`: always {"error": text}. `coded`: refusals by key, plan and rate have the provider's codes. */
  errors: 'flat' | 'coded'
  /** `always`: every answer has them, as numbers. `when_refused`: only a 429 has them, with the reset as a date-time. */
  rateHeaders: 'always' | 'when_refused'
  /** Headers of keys for another host of the provider, with the code of the refusal. */
  foreignKeyHeaders: Readonly<Record<string, number>>
  /** Required parameters that the interface does not require. */
  requiredParams: readonly ParamFact[]
  /** Parameters of the interface that the provider does not have. */
  absentParams: readonly ParamFact[]
  /** Permitted values that the interface does not permit. */
  moreAllowed: readonly (ParamFact & { value: string })[]
  outsidePlan: readonly PlanLimit[]
  /** from and to of a range may also be dates. */
  rangeTakesDates: boolean
  /** The most coins in search/trending; null = all. */
  trendingCoins: number | null
}

/** The facts in which providers differ. Code reads such a fact and never compares a profile's name. */
export interface Profile {
  name: ProfileName
  title: string
  /** Address of the service, without the base path; null = the config must name it. */
  defaultBaseUrl: string | null
  /** The path between the base URL and an operation's path. */
  basePath: string
  /** The header for the key. `template` is its value, with `{key}` for the key. */
  auth: { header: string; template: string; queryParam: string | null }
  isKeyRequired: boolean
  /** The field of ping's body by which the service is recognized, and its text; null = any text. */
  ping: { field: string; equals: string | null }
  /** How many days back the key's plan reaches; null = no limit. */
  maxHistoryDays: number | null
  /** The limit if it is known before the first answer; null = learned from headers. */
  rate: CallRate | null
  monthlyCalls: number | null
  /** Whether the plan has coins/list?status=inactive and the histories of these coins. */
  listsInactive: boolean
  /** The forms of a date that the service accepts. coinlake sends the first. */
  dateFormats: readonly [DateFormat, ...DateFormat[]]
  served: ServedFacts
}

const COINGECKO: Omit<ServedFacts, 'foreignKeyHeaders'> = {
  pingText: '(V3) To the Moon!',
  params: 'lenient',
  missingParamStatus: 422,
  errors: 'coded',
  rateHeaders: 'when_refused',
  // The interface does not have `days`.
  requiredParams: [{ operation: 'exchanges/{id}/volume_chart', param: 'days' }],
  absentParams: [
    { operation: 'coins/{id}/tickers', param: 'per_page' },
    { operation: 'exchanges/{id}/tickers', param: 'per_page' },
  ],
  moreAllowed: [],
  outsidePlan: [],
  rangeTakesDates: false,
  trendingCoins: null,
}

/** All known providers by name. */
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
    dateFormats: ['yyyy-mm-dd'],
    served: {
      pingText: 'OK',
      params: 'strict',
      missingParamStatus: 400,
      errors: 'flat',
      rateHeaders: 'always',
      foreignKeyHeaders: {},
      requiredParams: [],
      absentParams: [],
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
    dateFormats: ['yyyy-mm-dd', 'dd-mm-yyyy'],
    served: {
      ...COINGECKO,
      foreignKeyHeaders: { 'x-cg-demo-api-key': 10_011 },
      moreAllowed: [{ operation: 'coins/{id}/ohlc', param: 'days', value: 'max' }],
      rangeTakesDates: true,
    },
  },
}

/** The ping of every profile. The client accepts any, because recordings may be served under another profile. */
export const KNOWN_PINGS: readonly Profile['ping'][] = Object.values(profiles).map(
  ({ ping }) => ping,
)
