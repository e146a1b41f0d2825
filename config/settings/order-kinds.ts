import { DAY_MS } from '../values/duration.ts'
import { meantSelector, parseSelector, selectorText } from '../values/coin-selector.ts'
import type { CoinChoice } from '../values/coin-selector.ts'
import { GRANULARITIES, GRANULARITY_ALIASES } from '../dataset-shape.ts'
import type { Granularity } from '../dataset-shape.ts'
import { hintFor } from '../values/did-you-mean.ts'
import { ORDER_NAME_PATTERN } from '../order-label.ts'
import { canonicalAddress, parseTokenRef, tokenText } from '../values/token-ref.ts'
import { text, textOrList } from './forms.ts'
import { BadValue, type Kind, type RawValue } from './kind.ts'
import { durationWith, ids, IDS, listOf, parseIds, parseTexts, textKind } from './kinds.ts'

/** No service ranks more coins than this; a larger number is a typing error. */
const MAX_TOP = 50_000
const ORDER_NAME = new RegExp(ORDER_NAME_PATTERN)

export const orderName: Kind<string> = {
  ...text({ pattern: ORDER_NAME_PATTERN }),
  parse(value) {
    if (ORDER_NAME.test(String(value))) return String(value)
    throw new BadValue(
      'CONFIG_BAD_ORDER_NAME',
      `is no name of an order: ${JSON.stringify(value)}`,
      'Write up to 40 of a-z, 0-9, _ and -, beginning with a letter or a digit: hourly.',
    )
  },
  show: String,
}

/** A snapshot's period, which must divide a day or be whole days, so that buckets start at midnight UTC. */
export const period = durationWith(
  (ms) => ms >= 60_000 && (DAY_MS % ms === 0 || ms % DAY_MS === 0),
  'does not divide a day',
  'Write a period of at least a minute that divides a day (15m, 1h, 6h, 12h), or whole days (1d, 7d).',
)

/** `platform_id/contract_address`, with the address in canonical form. */
const token = textKind({
  read(text) {
    const found = /\s/u.test(text) ? null : parseTokenRef(text)
    if (found === null) return null
    return tokenText({ ...found, contractAddress: canonicalAddress(found.contractAddress) })
  },
  code: 'CONFIG_BAD_TOKEN',
  refusal: 'has no token',
  hint: 'Write platform_id/contract_address, such as ethereum/0xdac17f958d2ee523a2206206994597c13d831ec7.',
})

export const tokens = listOf(token, IDS)

/** A currency code, in lower case as at the source. */
const currency = textKind({
  read: (text) => /^[a-z0-9]{2,10}$/.exec(text.toLowerCase())?.[0] ?? null,
  code: 'CONFIG_BAD_CURRENCY',
  refusal: 'has no currency code',
  hint: 'Write codes such as usd, eur, btc.',
})

export const currencies = listOf(currency, IDS)

/** Texts to search for: a list, whose texts may have commas, or one text with commas between several. */
export const queries: Kind<readonly string[]> = {
  ...ids,
  parse: (value) =>
    parseTexts(value, () => false, [
      'CONFIG_BAD_QUERY',
      'cannot be searched for',
      'Write the texts to search for: [bitcoin, wrapped ether].',
    ]),
}

/** Ids, or one selector: `top:N`, `category:ID`, `all`, `inactive`. */
export const coins: Kind<CoinChoice> = {
  ...IDS,
  parse: parseCoins,
  show: (choice) => ('ids' in choice ? choice.ids.join(', ') : selectorText(choice)),
}

/** The beginning of a selector, right or wrong. */
const SELECTOR_PATTERN = /^(top:|category:|all$|inactive$)/

function parseCoins(value: RawValue): CoinChoice {
  const found = parseIds(value)
  for (const id of found) {
    const meant = meantSelector(id)
    if (meant === null) continue
    const ofCategory = meant.startsWith('category:') ? 'CONFIG_BAD_CATEGORY' : 'CONFIG_BAD_ID'
    const code = meant.startsWith('top:') ? 'CONFIG_BAD_TOP' : ofCategory
    const what = `selects no coins: ${JSON.stringify(id)}`
    throw new BadValue(code, what, `Did you mean \`${meant}\`?`)
  }
  const text = found.find((id) => SELECTOR_PATTERN.test(id))
  if (text === undefined) return { ids: found }
  if (found.length > 1) {
    throw new BadValue(
      text.startsWith('top:') ? 'CONFIG_BAD_TOP' : 'CONFIG_MIXED_COINS',
      `mixes ${text} with ids`,
      `Write ${text} alone, or a list of ids.`,
    )
  }
  const selector = parseSelector(text)
  if (selector === null && text.startsWith('category:')) {
    throw new BadValue(
      'CONFIG_BAD_CATEGORY',
      `names no category: ${JSON.stringify(text)}`,
      'Write category:ID with an id of the dataset categories, such as category:layer-1.',
    )
  }
  if (selector !== null && !('top' in selector && selector.top > MAX_TOP)) return selector
  throw new BadValue(
    'CONFIG_BAD_TOP',
    `is no number of coins: ${JSON.stringify(text)}`,
    `Write top:N alone, with N from 1 to ${MAX_TOP}, or a list of ids.`,
  )
}

/** The granularities in a value, with aliases resolved. @throws BadValue when one is not offered */
export function parseGranularities(
  value: RawValue,
  offered: readonly Granularity[],
): readonly Granularity[] {
  const found = parseIds(value).map((text) => {
    const wanted = Object.hasOwn(GRANULARITY_ALIASES, text) ? GRANULARITY_ALIASES[text] : text
    const one = offered.find((granularity) => granularity === wanted)
    if (one !== undefined) return one
    const isKnown = GRANULARITIES.some((granularity) => granularity === wanted)
    throw new BadValue(
      'CONFIG_BAD_GRANULARITY',
      `${isKnown ? 'is not offered' : 'is no granularity'}: ${JSON.stringify(text)}`,
      `Choose one of ${offered.map(withAlias).join(', ')}.`,
    )
  })
  return [...new Set(found)]
}

/** The granularities in a value; null = one is not offered. */
export function granularitiesIn(
  ...input: Parameters<typeof parseGranularities>
): readonly Granularity[] | null {
  try {
    return parseGranularities(...input)
  } catch (error) {
    if (error instanceof BadValue) return null
    throw error
  }
}

/** The granularities in the file, of which each makes an order. */
export const granularity: Kind<Granularity> = {
  ...textOrList('must be text, or a list'),
  parse: (value) => parseGranularities(value, GRANULARITIES)[0]!,
  show: String,
}

function withAlias(granularity: Granularity): string {
  const alias = Object.entries(GRANULARITY_ALIASES).find(([, stored]) => stored === granularity)
  return alias === undefined ? granularity : `${granularity} (${alias[0]})`
}

/** The problem of schedules or freshness that name a dataset or order which the file lacks. */
export function notInFileError(name: string, known: readonly string[]): BadValue {
  return new BadValue(
    'CONFIG_UNKNOWN_DATASET',
    `names a dataset or an order that is not under \`datasets:\`: ${JSON.stringify(name)}`,
    hintFor(name, known, `There are ${known.join(', ') || 'none'}.`),
  )
}
