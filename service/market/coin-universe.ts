import { KNOWN_COINS, type KnownCoin } from './known-coins.ts'
import { streamSeed, uniform, wholeBelow } from './random.ts'
import { dayAt } from './time-grid.ts'

export interface MarketCoin extends KnownCoin {
  /** Place in the endless list of coins. Markets of every size begin with the same coins. */
  index: number
}

/** Every 16th generated coin is young: its series start late, and its market cap is unknown at first. */
const YOUNG_EVERY = 16
const YOUNG_OFFSET = 9
/** Young coins are listed in the 365 days from here, the others between 2,500 and 365 days before. */
const YOUNG_FROM_DAY = dayAt(Date.UTC(2024, 6, 1))
const OLD_DAYS = 2_500
const YOUNG_DAYS = 365
/**
 * Every 23rd generated coin is delisted, and every 29th gets a new name and symbol, 200 to 1,699 days after its listing.
 */
const DELISTED_EVERY = 23
const DELISTED_OFFSET = 4
const RENAMED_EVERY = 29
const RENAMED_OFFSET = 15
const EVENT_AFTER_DAYS = 200
const EVENT_WITHIN_DAYS = 1_500
/** A younger coin is left out: it has too few points. */
const MIN_AGE_DAYS = 20

const SYLLABLES =
  'ba co da el fi go hy io ju ka lo ma ne or pi qu ra so ti ul va wy xe yo ze'.split(' ')
const SUFFIXES = ['', ' Coin', ' Token', ' Protocol', ' Network', ' Finance', ' Chain', ' Inu']
const SYLLABLES_PER_NAME = 3
/** Coprime to the number of names (25^3), so that steps of this size meet every name once. */
const NAME_STEP = 7_919

/**
 * The first `count` coins that are listed at `nowMs`, with their names of that day. First come known coins and coins with
 * odd ids and names, then generated ones. At a later `nowMs` some coins are new, gone or renamed.
 */
export function coinUniverse(seed: number, count: number, nowMs: number): MarketCoin[] {
  const coins: MarketCoin[] = []
  const today = dayAt(nowMs)
  for (let index = 0; coins.length < count; index++) {
    const known = KNOWN_COINS[index]
    const coin = known === undefined ? generatedCoin(seed, index) : { index, ...known }
    const isListed =
      coin.listedDay <= today - MIN_AGE_DAYS && today < (coin.delistedDay ?? Infinity)
    if (isListed) coins.push(withNameOn(coin, today))
  }
  return coins
}

function withNameOn(coin: MarketCoin, day: number): MarketCoin {
  const { former } = coin
  if (former === undefined || day >= former.untilDay) return coin
  return { ...coin, symbol: former.symbol, name: former.name }
}

function generatedCoin(seed: number, index: number): MarketCoin {
  const coinSeed = streamSeed(seed, 'coin', index)
  const name = generatedName(index - KNOWN_COINS.length, wholeBelow(coinSeed, 0, SUFFIXES.length))
  // From a hundredth of a cent to a hundred dollars, evenly by magnitude.
  const anchorUsd = 10 ** (uniform(coinSeed, 1) * 6 - 4)
  // The cap falls with the place in the list, but not strictly.
  const capUsd = (4e11 / (index + 1) ** 1.3) * (0.5 + uniform(coinSeed, 2))
  const anchorSupply = Math.max(1_000, Math.round(capUsd / anchorUsd))
  const isYoung = index % YOUNG_EVERY === YOUNG_OFFSET
  const listedDay = isYoung
    ? YOUNG_FROM_DAY + wholeBelow(coinSeed, 3, YOUNG_DAYS)
    : YOUNG_FROM_DAY - OLD_DAYS + wholeBelow(coinSeed, 3, OLD_DAYS - YOUNG_DAYS)
  // Two to four letters: several coins share a symbol, as in the real list.
  const symbol = name.toLowerCase().slice(0, 2 + wholeBelow(coinSeed, 4, 3))
  const eventDay = listedDay + EVENT_AFTER_DAYS + wholeBelow(coinSeed, 8, EVENT_WITHIN_DAYS)
  return {
    index,
    id: name.toLowerCase().replaceAll(' ', '-'),
    symbol,
    name,
    platforms: uniform(coinSeed, 5) < 0.7 ? { ethereum: address(coinSeed) } : {},
    anchorUsd,
    anchorSupply,
    maxSupply: uniform(coinSeed, 6) < 0.4 ? anchorSupply * 2 : null,
    dayDeviation: 0.03 + 0.05 * uniform(coinSeed, 7),
    isPegged: false,
    listedDay,
    ...(index % DELISTED_EVERY === DELISTED_OFFSET ? { delistedDay: eventDay } : {}),
    // The id never changes: histories are joined on it.
    ...(index % RENAMED_EVERY === RENAMED_OFFSET
      ? { former: { untilDay: eventDay, symbol: `old${symbol}`, name: `${name} Classic` } }
      : {}),
  }
}

/** A name for each place: all combinations of syllables, in scattered order. */
function generatedName(place: number, suffix: number): string {
  const names = SYLLABLES.length ** SYLLABLES_PER_NAME
  let rest = (place * NAME_STEP) % names
  let word = ''
  for (let i = 0; i < SYLLABLES_PER_NAME; i++) {
    word += SYLLABLES[rest % SYLLABLES.length]!
    rest = Math.floor(rest / SYLLABLES.length)
  }
  const round = Math.floor(place / names)
  const capital = word.charAt(0).toUpperCase() + word.slice(1)
  return `${capital}${SUFFIXES[suffix]!}${round === 0 ? '' : ` ${round + 1}`}`
}

const ADDRESS_HEX_DIGITS = 40

function address(coinSeed: number): string {
  let hex = '0x'
  for (let i = 0; i < ADDRESS_HEX_DIGITS; i++) hex += wholeBelow(coinSeed, 100 + i, 16).toString(16)
  return hex
}
