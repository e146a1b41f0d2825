export type ProfileName = 'interface' | 'coingecko-demo' | 'coingecko-pro'

/** Calls permitted in a window. */
export interface Rate {
  calls: number
  perMs: number
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
  auth: { header: string; template: string }
  isKeyRequired: boolean
  /** The field of ping's body that tells this service; `equals` null = any text will do. */
  ping: { field: string; equals: string | null }
  /** Days back that the key's plan reaches; null = everything. */
  maxHistoryDays: number | null
  /** Known before the first answer; null = learned from headers. */
  rate: Rate | null
  monthlyCalls: number | null
  /** How a calendar date is written in a query. */
  dateFormat: 'yyyy-mm-dd' | 'dd-mm-yyyy'
}

const MINUTE_MS = 60_000

/** Every provider we know, by name. */
export const profiles: Readonly<Record<ProfileName, Profile>> = {
  interface: {
    name: 'interface',
    title: 'the /v2 interface',
    defaultBaseUrl: null,
    basePath: '/v2',
    auth: { header: 'authorization', template: 'Bearer {key}' },
    isKeyRequired: true,
    ping: { field: 'status', equals: 'OK' },
    maxHistoryDays: null,
    rate: null,
    monthlyCalls: null,
    dateFormat: 'yyyy-mm-dd',
  },
  'coingecko-demo': {
    name: 'coingecko-demo',
    title: 'CoinGecko, demo plan or no key',
    defaultBaseUrl: 'https://api.coingecko.com',
    basePath: '/api/v3',
    auth: { header: 'x-cg-demo-api-key', template: '{key}' },
    isKeyRequired: false,
    ping: { field: 'gecko_says', equals: null },
    maxHistoryDays: 365,
    rate: { calls: 100, perMs: MINUTE_MS },
    monthlyCalls: 10_000,
    dateFormat: 'dd-mm-yyyy',
  },
  'coingecko-pro': {
    name: 'coingecko-pro',
    title: 'CoinGecko, paid plans',
    defaultBaseUrl: 'https://pro-api.coingecko.com',
    basePath: '/api/v3',
    auth: { header: 'x-cg-pro-api-key', template: '{key}' },
    isKeyRequired: true,
    ping: { field: 'gecko_says', equals: null },
    maxHistoryDays: null,
    rate: null,
    monthlyCalls: null,
    dateFormat: 'yyyy-mm-dd',
  },
}
