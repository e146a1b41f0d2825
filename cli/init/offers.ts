import { DEFAULTS, daysBack, defaultFrom } from './defaults.ts'

/** One answer to a question: a value, or a text that is typed next. */
export interface Offer {
  title: string
  /** The answer. If it is typed: an example to be priced for the list; null = no price. */
  value: string | null
  typed?: { message: string; proposed: string; answerOf: (text: string) => string }
}

/** Offers of coins for datasets that need them, or (`isListing`) for a listing of the whole market. */
export function coinOffers(isListing: boolean): Offer[] {
  const some: Offer = { title: 'bitcoin, ethereum', value: DEFAULTS.coins }
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
    typed: typed('Which coins? (ids with commas)', DEFAULTS.coins),
  }
  return isListing ? [all, ...ranked, category, some, own] : [some, ...ranked, category, all, own]
}

export const CURRENCY_OFFERS: readonly Offer[] = [
  { title: 'usd', value: 'usd' },
  { title: 'usd, btc', value: 'usd,btc' },
  { title: 'usd, eur, btc', value: 'usd,eur,btc' },
  { title: 'others', value: null, typed: typed('Which currencies? (codes with commas)', 'usd') },
]

export function startOffers(nowMs: number, profile: string | undefined): Offer[] {
  const proposed = defaultFrom(nowMs, profile)
  const spans = [
    { title: 'the last 30 days', value: daysBack(nowMs, 30) },
    { title: 'the last 5 years', value: daysBack(nowMs, 5 * 365) },
    // No such service has older prices.
    { title: 'all there is', value: '2013-04-28' },
  ].filter(({ value }) => Date.parse(value) < nowMs)
  return [
    { title: `since ${proposed}`, value: proposed },
    ...spans.map(({ title, value }) => ({ title: `${title} (${value})`, value })),
    { title: 'another day', value: null, typed: typed('From which day on? (UTC)', proposed) },
  ]
}

export const EVERY_OFFERS: readonly Offer[] = [
  { title: 'once a day', value: '1d' },
  { title: 'every 6 hours', value: '6h' },
  { title: 'every hour', value: '1h' },
  { title: 'otherwise', value: null, typed: typed('How often? (15m, 12h, 7d)', '12h') },
]

function typed(message: string, proposed: string): NonNullable<Offer['typed']> {
  return { message, proposed, answerOf: (text) => text }
}
