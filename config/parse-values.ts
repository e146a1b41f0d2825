import { meantSelector, parseSelector } from './coin-selector.ts'
import type { CoinChoice } from './config.ts'
import {
  CONFIG_GRANULARITIES,
  GRANULARITY_ALIASES,
  type ConfigGranularity,
} from './dataset-shape.ts'
import { didYouMean } from './did-you-mean.ts'
import { parseDurationMs } from './duration.ts'
import { BadValue, type RawValue } from './setting-reader.ts'
import { formatSize, parseSizeBytes } from './size.ts'
import { canonicalAddress, parseTokenRef, tokenText } from './token-ref.ts'
import { parseUtcMs } from './utc-date.ts'

const DAY_MS = 86_400_000
/** No service ranks more coins than this; a larger number is a typing error. */
const MAX_TOP = 50_000
const CONTROL = /\p{Cc}/u

/** Text as it stands. @throws BadValue for text that is empty or tries to use the environment. */
export function parseText(value: RawValue): string {
  const text = String(value).trim()
  if (text === '')
    throw new BadValue('CONFIG_BAD_VALUE', 'is empty', 'Write a value or leave the key out.')
  if (text.includes('${')) {
    throw new BadValue(
      'CONFIG_SUBSTITUTION',
      `uses the environment: ${JSON.stringify(text)}`,
      'Only `source.api_key` may be taken from the environment with ${NAME}; write the value itself.',
    )
  }
  return text
}

/** @throws BadValue CONFIG_BAD_DATE */
export function parseDate(value: RawValue): number {
  const text = parseText(value)
  const ms = parseUtcMs(text)
  if (ms !== null) return ms
  throw new BadValue(
    'CONFIG_BAD_DATE',
    `is not a date: ${JSON.stringify(text)}`,
    'Write a day of the calendar such as 2024-01-31, or an ISO time such as 2024-01-31T12:00:00Z.',
  )
}

/** @throws BadValue CONFIG_BAD_DURATION */
export function parseDuration(value: RawValue): number {
  const text = parseText(value)
  const ms = parseDurationMs(text)
  if (ms !== null) return ms
  throw new BadValue(
    'CONFIG_BAD_DURATION',
    `is not a duration: ${JSON.stringify(text)}`,
    'Write a whole number and one of s, m, h, d: 30s, 15m, 1h, 7d.',
  )
}

/** As one string a body could not be much longer, whatever the memory. */
const MAX_SIZE_BYTES = 256 * 1024 * 1024

/** @throws BadValue CONFIG_BAD_SIZE */
export function parseSize(value: RawValue): number {
  const text = parseText(value)
  const sizeBytes = parseSizeBytes(text)
  if (sizeBytes !== null && sizeBytes <= MAX_SIZE_BYTES) return sizeBytes
  throw new BadValue(
    'CONFIG_BAD_SIZE',
    `is not a size: ${JSON.stringify(text)}`,
    `Write a whole number of MiB from 1MiB to ${formatSize(MAX_SIZE_BYTES)}, such as 64MiB.`,
  )
}

/** A snapshot's period: buckets have to start at midnight UTC, so it divides a day or is whole days. */
export function parseEvery(value: RawValue): number {
  const ms = parseDuration(value)
  if (ms >= 60_000 && (DAY_MS % ms === 0 || ms % DAY_MS === 0)) return ms
  throw new BadValue(
    'CONFIG_BAD_DURATION',
    `does not divide a day: ${JSON.stringify(value)}`,
    'Write a period of at least a minute that divides a day (15m, 1h, 6h, 12h), or whole days (1d, 7d).',
  )
}

/** A list in YAML or a text with commas, trimmed, each id once. @throws BadValue CONFIG_BAD_ID */
export function parseIds(value: RawValue): readonly string[] {
  const items = typeof value === 'object' ? value : parseText(value).split(',')
  const ids = items.map((item) => item.trim())
  const bad = ids.find(
    (id) => id === '' || id.includes(',') || id.includes('${') || CONTROL.test(id),
  )
  if (ids.length > 0 && bad === undefined) return [...new Set(ids)]
  throw new BadValue(
    'CONFIG_BAD_ID',
    ids.length === 0 ? 'is an empty list' : `has an id that cannot be one: ${JSON.stringify(bad)}`,
    'Write ids as the source spells them: [bitcoin, ethereum].',
  )
}

/**
 * Tokens as `platform_id/contract_address`, EVM addresses in lower case as the source writes them, so
 * that two spellings are one token.
 *
 * @throws BadValue CONFIG_BAD_TOKEN, CONFIG_BAD_ID
 */
export function parseTokens(value: RawValue): readonly string[] {
  const tokens = parseIds(value)
  const bad = tokens.find((token) => parseTokenRef(token) === null || /\s/u.test(token))
  if (bad === undefined) return [...new Set(tokens.map(canonicalToken))]
  throw new BadValue(
    'CONFIG_BAD_TOKEN',
    `has no token: ${JSON.stringify(bad)}`,
    'Write platform_id/contract_address, such as ethereum/0xdac17f958d2ee523a2206206994597c13d831ec7.',
  )
}

function canonicalToken(text: string): string {
  const token = parseTokenRef(text)
  if (token === null) return text
  return tokenText({ ...token, contractAddress: canonicalAddress(token.contractAddress) })
}

/**
 * Texts to search for; one text may stand alone, with commas between several. In a list a comma is
 * part of its text.
 *
 * @throws BadValue CONFIG_BAD_QUERY
 */
export function parseQueries(value: RawValue): readonly string[] {
  const items = typeof value === 'object' ? value : parseText(value).split(',')
  const queries = items.map((item) => item.trim())
  const bad = queries.find((query) => query === '' || query.includes('${') || CONTROL.test(query))
  if (queries.length > 0 && bad === undefined) return [...new Set(queries)]
  throw new BadValue(
    'CONFIG_BAD_QUERY',
    queries.length === 0
      ? 'is an empty list'
      : `has a text that cannot be searched for: ${JSON.stringify(bad)}`,
    'Write the texts to search for: [bitcoin, wrapped ether].',
  )
}

/** Words that begin a selector, whether it is a good one or not. */
const SELECTOR = /^(top:|category:|all$|inactive$)/

/**
 * Ids, or one selector: `top:N`, `category:ID`, `all`, `inactive`.
 *
 * @throws BadValue CONFIG_BAD_ID, CONFIG_BAD_TOP, CONFIG_BAD_CATEGORY, CONFIG_MIXED_COINS
 */
export function parseCoins(value: RawValue): CoinChoice {
  const ids = parseIds(value)
  for (const id of ids) {
    const meant = meantSelector(id)
    if (meant === null) continue
    const code = meant.startsWith('top:') ? 'CONFIG_BAD_TOP' : 'CONFIG_BAD_CATEGORY'
    throw new BadValue(
      code,
      `selects no coins: ${JSON.stringify(id)}`,
      `Did you mean \`${meant}\`?`,
    )
  }
  const text = ids.find((id) => SELECTOR.test(id))
  if (text === undefined) return { ids }
  if (ids.length > 1) {
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

/** Currency codes, lower case as the source spells them. @throws BadValue CONFIG_BAD_CURRENCY */
export function parseCurrencies(value: RawValue): readonly string[] {
  const codes = parseIds(value).map((code) => code.toLowerCase())
  const bad = codes.find((code) => !/^[a-z0-9]{2,10}$/.test(code))
  if (bad === undefined) return [...new Set(codes)]
  throw new BadValue(
    'CONFIG_BAD_CURRENCY',
    `has no currency code: ${JSON.stringify(bad)}`,
    'Write codes such as usd, eur, btc.',
  )
}

/** One of the granularities offered, aliases included. @throws BadValue CONFIG_BAD_GRANULARITY */
export function parseGranularity(
  value: RawValue,
  offered: readonly ConfigGranularity[],
): ConfigGranularity {
  const text = parseText(value)
  const wanted = Object.hasOwn(GRANULARITY_ALIASES, text) ? GRANULARITY_ALIASES[text] : text
  const found = offered.find((granularity) => granularity === wanted)
  if (found !== undefined) return found
  const isKnown = CONFIG_GRANULARITIES.some((granularity) => granularity === wanted)
  throw new BadValue(
    'CONFIG_BAD_GRANULARITY',
    `${isKnown ? 'is not offered' : 'is no granularity'}: ${JSON.stringify(text)}`,
    `Choose one of ${offered.map(withAlias).join(', ')}.`,
  )
}

/** Several of them: a list in YAML, or a text with commas; each once. @throws BadValue CONFIG_BAD_GRANULARITY */
export function parseGranularities(
  value: RawValue,
  offered: readonly ConfigGranularity[],
): readonly ConfigGranularity[] {
  return [...new Set(parseIds(value).map((text) => parseGranularity(text, offered)))]
}

function withAlias(granularity: ConfigGranularity): string {
  const alias = Object.entries(GRANULARITY_ALIASES).find(([, stored]) => stored === granularity)
  return alias === undefined ? granularity : `${granularity} (${alias[0]})`
}

/** One of a few words. @throws BadValue with the code given, and what was probably meant. */
export function parseWord<T extends string>(value: RawValue, words: readonly T[], code: string): T {
  const text = parseText(value)
  const found = words.find((word) => word === text)
  if (found !== undefined) return found
  const meant = didYouMean(text, words)
  const choices = `Choose one of ${words.join(', ')}.`
  throw new BadValue(
    code,
    `is unknown: ${JSON.stringify(text)}`,
    meant === null ? choices : `Did you mean \`${meant}\`? ${choices}`,
  )
}
