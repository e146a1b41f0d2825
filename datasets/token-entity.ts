import { parseTokenRef, type TokenRef } from '../config/token-ref.ts'

/** An address on a chain of the Ethereum kind: 20 bytes in hex, whose case is only a checksum. */
const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i

/** The token that a slice's entity names, its address as the source writes it. */
export function tokenOf(entity: string): TokenRef {
  const { platformId, contractAddress } = parseTokenRef(entity) ?? {
    platformId: entity,
    contractAddress: '',
  }
  return { platformId, contractAddress: canonicalAddress(contractAddress) }
}

/** EVM addresses in lower case, so that two spellings are one token; others stay what they are. */
export function canonicalAddress(address: string): string {
  return EVM_ADDRESS.test(address) ? address.toLowerCase() : address
}
