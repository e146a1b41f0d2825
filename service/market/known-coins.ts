import { dayAt } from './time-grid.ts'

/** A coin of the simulated market. */
export interface KnownCoin {
  id: string
  symbol: string
  name: string
  /** Contract address by platform; empty for a chain of its own. */
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
  /** From this day on the source no longer knows the coin. */
  delistedDay?: number
  /** The symbol and name before `untilDay`. */
  former?: { untilDay: number; symbol: string; name: string }
}

interface Figures {
  usd: number
  supply: number
  max?: number
  day: number
  listed: string
  platforms?: Record<string, string>
  pegged?: boolean
}

function knownCoin(id: string, symbol: string, name: string, figures: Figures): KnownCoin {
  return {
    id,
    symbol,
    name,
    platforms: figures.platforms ?? {},
    anchorUsd: figures.usd,
    anchorSupply: figures.supply,
    maxSupply: figures.max ?? null,
    dayDeviation: figures.day,
    isPegged: figures.pegged ?? false,
    listedDay: dayAt(Date.parse(figures.listed)),
  }
}

/** The contract of a coin on Ethereum, a different one for each `place`. */
function onEthereum(place: number): Record<string, string> {
  return {
    ethereum: `0x00000000000000000000000000000000c01a1a${place.toString(16).padStart(2, '0')}`,
  }
}

/** The figures of a small coin with an odd id, symbol or name. */
const ODD: Figures = { usd: 0.02, supply: 9e8, day: 0.06, listed: '2021-03-01' }

/**
 * The first coins of every simulated market, with rounded figures. The odd ones are like those in real
 * lists: ids that are no slugs, symbols that look like other types, names that break CSV files and
 * UCS-2. They come early, so that even a market of five coins has some.
 */
export const KNOWN_COINS: readonly KnownCoin[] = [
  knownCoin('bitcoin', 'btc', 'Bitcoin', {
    usd: 94_000,
    supply: 19_800_000,
    max: 21_000_000,
    day: 0.026,
    listed: '2013-01-01',
  }),
  knownCoin('ethereum', 'eth', 'Ethereum', {
    usd: 3_350,
    supply: 120_400_000,
    day: 0.034,
    listed: '2015-08-07',
  }),
  knownCoin('tether', 'usdt', 'Tether', {
    usd: 1,
    supply: 138e9,
    day: 0.0006,
    listed: '2015-02-25',
    // The contract in many examples, so that the examples work here.
    platforms: { ethereum: '0xdac17f958d2ee523a2206206994597c13d831ec7' },
    pegged: true,
  }),
  knownCoin('boringdao-[old]', 'bor', 'BoringDAO [OLD]', { ...ODD, usd: 41.5, supply: 120_000 }),
  knownCoin('1move token', '1mt', '1Move Token', { ...ODD, platforms: onEthereum(2) }),
  knownCoin('solana', 'sol', 'Solana', {
    usd: 190,
    supply: 482_000_000,
    day: 0.042,
    listed: '2020-04-11',
  }),
  knownCoin('ripple', 'xrp', 'XRP', {
    usd: 2.1,
    supply: 57.4e9,
    max: 100e9,
    day: 0.041,
    listed: '2013-08-04',
  }),
  knownCoin('_', 'gib', '༼ つ ◕_◕ ༽つ', ODD),
  knownCoin('null-social', 'null', 'Null', { ...ODD, usd: 0.004 }),
  knownCoin('trueswap', 'true', '𝕋rue𝕊wap 🚀', { ...ODD, usd: 1.3e-9, supply: 4.2e17 }),
  knownCoin('usd-coin', 'usdc', 'USDC', {
    usd: 1,
    supply: 43.9e9,
    day: 0.0005,
    listed: '2018-10-05',
    platforms: onEthereum(3),
    pegged: true,
  }),
  knownCoin('binancecoin', 'bnb', 'BNB', {
    usd: 705,
    supply: 144_000_000,
    max: 200_000_000,
    day: 0.032,
    listed: '2017-09-16',
  }),
  knownCoin('cardano', 'ada', 'Cardano', {
    usd: 0.87,
    supply: 35.1e9,
    max: 45e9,
    day: 0.043,
    listed: '2017-10-18',
  }),
  knownCoin('dogecoin', 'doge', 'Dogecoin', {
    usd: 0.32,
    supply: 147e9,
    day: 0.05,
    listed: '2013-12-15',
  }),
  knownCoin('litecoin', 'ltc', 'Litecoin', {
    usd: 104,
    supply: 75_400_000,
    max: 84_000_000,
    day: 0.038,
    listed: '2013-04-28',
  }),
  knownCoin('bitcoin-cash', 'bch', 'Bitcoin Cash', {
    usd: 437,
    supply: 19_800_000,
    max: 21_000_000,
    day: 0.041,
    listed: '2017-08-02',
  }),
  knownCoin('stellar', 'xlm', 'Stellar', {
    usd: 0.34,
    supply: 30.5e9,
    max: 50e9,
    day: 0.044,
    listed: '2014-08-05',
  }),
  knownCoin('chainlink', 'link', 'Chainlink', {
    usd: 20.6,
    supply: 626_000_000,
    max: 1e9,
    day: 0.045,
    listed: '2017-11-09',
    platforms: onEthereum(4),
  }),
  knownCoin('polkadot', 'dot', 'Polkadot', {
    usd: 6.8,
    supply: 1.53e9,
    day: 0.042,
    listed: '2020-08-19',
  }),
  knownCoin('lpc_ai_lumi-by-virtuals', '', 'Lumi, "by" Virtuals', ODD),
  knownCoin('_gai16zbrielshai16zpr0', '000', '=Ai16z+Pr0', { ...ODD, usd: 3e-7, supply: 1e15 }),
  knownCoin('inf-2025', 'inf', '@2025', ODD),
]
