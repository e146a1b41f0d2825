/** A token as the source finds it: the platform it lives on, and its contract there. */
export interface TokenRef {
  platformId: string
  /** The address as written; it may have further slashes (`ibc/27394F...`). */
  contractAddress: string
}

/** An address of an EVM platform: its upper-case letters are a checksum and no other address. */
const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i

/** The one form in which tables, slices and requests have an address: EVM addresses in lower case, any other as it is. */
export function canonicalAddress(address: string): string {
  return EVM_ADDRESS.test(address) ? address.toLowerCase() : address
}

/** `ethereum/0xdac17f...` split at the first slash; null when one of the two parts is missing. */
export function parseTokenRef(text: string): TokenRef | null {
  const slash = text.indexOf('/')
  if (slash <= 0 || slash === text.length - 1) return null
  return { platformId: text.slice(0, slash), contractAddress: text.slice(slash + 1) }
}

/** The inverse of `parseTokenRef`: how a token stands in the config, in a slice and in the ledger. */
export function tokenText({ platformId, contractAddress }: TokenRef): string {
  return `${platformId}/${contractAddress}`
}
