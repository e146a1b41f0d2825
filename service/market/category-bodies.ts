import { CATEGORIES } from './categories.ts'
import { byText } from './coin-listings.ts'
import { largestFirst } from './global-bodies.ts'
import { USD } from './currency-list.ts'
import { coinImage, sumOf, type Body, type Market, type MarketEntry } from './market-entries.ts'

export function categoriesListBody(): Body[] {
  return CATEGORIES.toSorted(byText('id')).map(({ id, name }) => ({ category_id: id, name }))
}

/** The body of coins/categories, largest first. Sums over the coins of each category, in USD. */
export function categoriesBody({ coins, entriesIn }: Market): Body[] {
  const entries = entriesIn(USD)
  const updatedAt = entries.values().next().value?.last_updated ?? null
  const rows = CATEGORIES.map(({ id, name, content, has }) => {
    const members = largestFirst(coins.filter(has), entries)
    const figures = members.map(({ id: coinId }) => entries.get(coinId)!)
    const cap = sumOf(figures, 'market_cap')
    const isEmpty = members.length === 0
    const top = members.slice(0, 3)
    return {
      id,
      name,
      market_cap: isEmpty ? null : cap,
      market_cap_change_24h: capChangePercent(figures),
      content,
      top_3_coins_id: top.map((coin) => coin.id),
      top_3_coins: top.map((coin) => coinImage(coin, 'small')),
      volume_24h: isEmpty ? null : sumOf(figures, 'total_volume'),
      updated_at: isEmpty ? null : updatedAt,
    }
  })
  return rows.sort((a, b) => (b.market_cap ?? 0) - (a.market_cap ?? 0))
}

/** The change of the summed market cap over 24 hours, in percent; null = there is no cap. */
export function capChangePercent(entries: readonly MarketEntry[]): number | null {
  const cap = sumOf(entries, 'market_cap')
  const change = sumOf(entries, 'market_cap_change_24h')
  return cap === change ? null : (change / (cap - change)) * 100
}
