import { canonicalAddress, parseTokenRef, type TokenRef } from '../../config/values/token-ref.ts'

/** The token in a slice's entity, its address in canonical form. */
export function tokenOf(entity: string): TokenRef {
  const { platformId, contractAddress } = parseTokenRef(entity) ?? {
    platformId: entity,
    contractAddress: '',
  }
  return { platformId, contractAddress: canonicalAddress(contractAddress) }
}
