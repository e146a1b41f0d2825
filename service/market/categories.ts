import type { MarketCoin } from './coin-universe.ts'

export interface MarketCategory {
  id: string
  name: string
  content: string | null
  has: (coin: MarketCoin) => boolean
}

export const CATEGORIES: readonly MarketCategory[] = [
  {
    id: 'layer-1',
    name: 'Layer 1 (L1)',
    content: 'Chains of their own.',
    has: (coin) => Object.keys(coin.platforms).length === 0,
  },
  {
    id: 'smart-contract-platform',
    name: 'Smart Contract Platform',
    content: 'Chains that run programs.',
    has: (coin) => ['ethereum', 'solana', 'cardano', 'binancecoin', 'polkadot'].includes(coin.id),
  },
  {
    id: 'stablecoins',
    name: 'Stablecoins',
    content: null,
    has: (coin) => coin.isPegged,
  },
  {
    id: 'decentralized-finance-defi',
    name: 'Decentralized Finance (DeFi)',
    content: 'Lending, borrowing and trading by contract.',
    has: isOfDefi,
  },
  {
    id: 'meme-token',
    name: 'Meme',
    content: 'Said to be a joke.',
    has: (coin) => coin.id === 'dogecoin' || coin.name.endsWith(' Inu') || coin.id === '_',
  },
  // Real lists have categories without any coin.
  { id: 'discontinued', name: 'Discontinued "Coins"', content: '', has: () => false },
]

export function categoriesOf(coin: MarketCoin): MarketCategory[] {
  return CATEGORIES.filter(({ has }) => has(coin))
}

/** Whether a coin is of decentralized finance: some of the coins that live on the chain of another. */
export function isOfDefi({ id, index, platforms }: MarketCoin): boolean {
  return id === 'chainlink' || (Object.keys(platforms).length > 0 && index % 3 === 0)
}
