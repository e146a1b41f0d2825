import { DEFAULTS, daysBack, defaultFrom } from './defaults.ts'

/** One way to answer a question: with a value, or with a text that is asked for next. */
export interface Offer {
  title: string
  /** The answer; for a typed one an example that prices it, if there is one. */
  value: string | null
  typed?: { message: string; proposed: string; answerOf: (text: string) => string }
}

/** Coins for datasets that need them, or (`isListing`) to narrow a listing of the whole market. */
export function coinOffers(isListing: boolean): Offer[] {
  const some: Offer = { title: DEFAULTS.coins.join(', '), value: DEFAULTS.coins.join(',') }
  const all: Offer = { title: 'all there are', value: 'all' }
  const ranked = ['top:10', 'top:100', 'top:1000'].map((value) => {
    return { title: `${value}, by market cap`, value }
  })
  const category: Offer = {
    title: 'all of a category',
    value: 'category:layer-1',
    typed: {
      message: 'Which category? (its id)',
      proposed: 'layer-1',
      answerOf: (text) => (text.startsWith('category:') ? text : `category:${text}`),
    },
  }
  const own: Offer = {
    title: 'ids of my own',
    value: null,
    typed: typed('Which coins? (ids with commas)', DEFAULTS.coins.join(',')),
  }
  return isListing ? [all, ...ranked, category, some, own] : [some, ...ranked, category, all, own]
}

/** Currencies that prices are asked in. */
export function currencyOffers(): Offer[] {
  const lists = ['usd', 'usd,btc', 'usd,eur,btc']
  return [
    ...lists.map((value) => ({ title: value.replaceAll(',', ', '), value })),
    { title: 'others', value: null, typed: typed('Which currencies? (codes with commas)', 'usd') },
  ]
}

/** Starts of histories, the one proposed first. */
export function startOffers(nowMs: number, profile: string | undefined): Offer[] {
  const proposed = defaultFrom(nowMs, profile)
  const spans = [
    { title: 'the last 30 days', value: daysBack(nowMs, 30) },
    { title: 'the last 5 years', value: daysBack(nowMs, 5 * 365) },
    // The day of the first prices of such services: no history is older.
    { title: 'all there is', value: '2013-04-28' },
  ].filter(({ value }) => Date.parse(value) < nowMs)
  return [
    { title: `since ${proposed}`, value: proposed },
    ...spans.map(({ title, value }) => ({ title: `${title} (${value})`, value })),
    { title: 'another day', value: null, typed: typed('From which day on? (UTC)', proposed) },
  ]
}

/** How often snapshots are taken, and runs made. */
export function periodOffers(): Offer[] {
  return [
    { title: 'once a day', value: '1d' },
    { title: 'every 6 hours', value: '6h' },
    { title: 'every hour', value: '1h' },
    { title: 'otherwise', value: null, typed: typed('How often? (15m, 12h, 7d)', '12h') },
  ]
}

function typed(message: string, proposed: string): NonNullable<Offer['typed']> {
  return { message, proposed, answerOf: (text) => text }
}
