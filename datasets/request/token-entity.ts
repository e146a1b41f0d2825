import { canonicalAddress, parseTokenRef, type TokenRef } from '../../config/values/token-ref.ts'

/** The token that a slice's entity names, its address in canonical form. */
export function tokenOf(entity: string): TokenRef {
  const { platformId, contractAddress } = parseTokenRef(entity) ?? {
    platformId: entity,
    contractAddress: '',
  }
  return { platformId, contractAddress: canonicalAddress(contractAddress) }
}
