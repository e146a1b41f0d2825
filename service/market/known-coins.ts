import { dayAt } from './time-grid.ts'

export interface KnownCoin {
  id: string
  symbol: string
  name: string
  /** Contract address by platform; empty = a chain of its own. */
  platforms: Record<string, string>
  /** USD at the anchor day. */
  anchorUsd: number
  /** Coins in circulation at the anchor day. */
  anchorSupply: number
  maxSupply: number | null
  dayDeviation: number
  isPegged: boolean
  /** First day with a price, counted from 1970. */
  listedDay: number
  /** From this day on the source does not know the coin. */
  delistedDay?: number
  /** The symbol and name before `untilDay`. */
  former?: { untilDay: number; symbol: string; name: string }
}

function onEthereum(place: number): string {
  return `0x00000000000000000000000000000000c01a1a${place.toString(16).padStart(2, '0')}`
}

const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7'

type Coin = readonly [
  id: string,
  symbol: string,
  name: string,
  usd: number,
  supply: number,
  maxSupply: number | null,
  dayDeviation: number,
  listed: string,
  /** Contract on Ethereum. Default: a chain of its own. */
  contract?: string,
]

/** Greatest supply, deviation and listing of a small coin with an odd id, symbol or name. */
const ODD = [null, 0.06, '2021-03-01'] as const

const COINS: readonly Coin[] = [
  ['bitcoin', 'btc', 'Bitcoin', 94_000, 19_800_000, 21_000_000, 0.026, '2013-01-01'],
  ['ethereum', 'eth', 'Ethereum', 3_350, 120_400_000, null, 0.034, '2015-08-07'],
  // The contract of many published examples, so that they work here.
  ['tether', 'usdt', 'Tether', 1, 138e9, null, 0.0006, '2015-02-25', USDT],
  ['boringdao-[old]', 'bor', 'BoringDAO [OLD]', 41.5, 120_000, ...ODD],
  ['1move token', '1mt', '1Move Token', 0.02, 9e8, ...ODD, onEthereum(2)],
  ['solana', 'sol', 'Solana', 190, 482_000_000, null, 0.042, '2020-04-11'],
  ['ripple', 'xrp', 'XRP', 2.1, 57.4e9, 100e9, 0.041, '2013-08-04'],
  ['_', 'gib', '༼ つ ◕_◕ ༽つ', 0.02, 9e8, ...ODD],
  ['null-social', 'null', 'Null', 0.004, 9e8, ...ODD],
  ['trueswap', 'true', '𝕋rue𝕊wap 🚀', 1.3e-9, 4.2e17, ...ODD],
  ['usd-coin', 'usdc', 'USDC', 1, 43.9e9, null, 0.0005, '2018-10-05', onEthereum(3)],
  ['binancecoin', 'bnb', 'BNB', 705, 144_000_000, 200_000_000, 0.032, '2017-09-16'],
  ['cardano', 'ada', 'Cardano', 0.87, 35.1e9, 45e9, 0.043, '2017-10-18'],
  ['dogecoin', 'doge', 'Dogecoin', 0.32, 147e9, null, 0.05, '2013-12-15'],
  ['litecoin', 'ltc', 'Litecoin', 104, 75_400_000, 84_000_000, 0.038, '2013-04-28'],
  ['bitcoin-cash', 'bch', 'Bitcoin Cash', 437, 19_800_000, 21_000_000, 0.041, '2017-08-02'],
  ['stellar', 'xlm', 'Stellar', 0.34, 30.5e9, 50e9, 0.044, '2014-08-05'],
  ['chainlink', 'link', 'Chainlink', 20.6, 626_000_000, 1e9, 0.045, '2017-11-09', onEthereum(4)],
  ['polkadot', 'dot', 'Polkadot', 6.8, 1.53e9, null, 0.042, '2020-08-19'],
  ['lpc_ai_lumi-by-virtuals', '', 'Lumi, "by" Virtuals', 0.02, 9e8, ...ODD],
  ['_gai16zbrielshai16zpr0', '000', '=Ai16z+Pr0', 3e-7, 1e15, ...ODD],
  ['inf-2025', 'inf', '@2025', 0.02, 9e8, ...ODD],
]

/** Coins that keep to the dollar. */
const PEGGED: ReadonlySet<string> = new Set(['tether', 'usd-coin'])

/**
 * The first coins of every simulated market, with rounded figures. Odd ones come early, so that even five coins have
 * some: ids with blanks and brackets, symbols like `null` or `true`, names that break CSV files or UCS-2.
 */
export const KNOWN_COINS: readonly KnownCoin[] = COINS.map(
  ([id, symbol, name, usd, supply, maxSupply, dayDeviation, listed, contract]) => ({
    id,
    symbol,
    name,
    platforms: contract === undefined ? {} : { ethereum: contract },
    anchorUsd: usd,
    anchorSupply: supply,
    maxSupply,
    dayDeviation,
    isPegged: PEGGED.has(id),
    listedDay: dayAt(Date.parse(listed)),
  }),
)
