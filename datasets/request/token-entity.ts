import { canonicalAddress, parseTokenRef, type TokenRef } from '../../config/values/token-ref.ts'

/** The token that a slice's entity names, its address as the source writes it. */
export function tokenOf(entity: string): TokenRef {
  const { platformId, contractAddress } = parseTokenRef(entity) ?? {
    platformId: entity,
    contractAddress: '',
  }
  return { platformId, contractAddress: canonicalAddress(contractAddress) }
}
