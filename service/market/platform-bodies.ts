import { imageUrl, type Body } from './market-entries.ts'

const PLATFORMS = [
  { id: 'ethereum', chain: 1, name: 'Ethereum', shortname: '', native: 'ethereum' },
  { id: 'solana', chain: null, name: 'Solana', shortname: 'Solana', native: 'solana' },
  {
    id: 'binance-smart-chain',
    chain: 56,
    name: 'BNB Smart Chain',
    shortname: 'BSC',
    native: 'binancecoin',
  },
  { id: 'ordinals', chain: null, name: 'Ordinals', shortname: '', native: null },
]

/** The platforms that `filter=nft` keeps. */
const NFT_PLATFORMS: ReadonlySet<string> = new Set(['ethereum', 'solana', 'ordinals'])

/** The body of asset_platforms. */
export function assetPlatformsBody(filter: string | undefined): Body[] {
  return PLATFORMS.filter(({ id }) => filter !== 'nft' || NFT_PLATFORMS.has(id)).map(
    ({ id, chain, name, shortname, native }) => ({
      id,
      chain_identifier: chain,
      name,
      shortname,
      native_coin_id: native,
      image: Object.fromEntries(
        ['thumb', 'small', 'large'].map((size) => [
          size,
          imageUrl('platforms', id, `${size}/image.png`),
        ]),
      ),
    }),
  )
}
