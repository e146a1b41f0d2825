/** A token, by its platform and its contract there. */
export interface TokenRef {
  platformId: string
  /** The address as written, which may have slashes itself (`ibc/27394F...`). */
  contractAddress: string
}

/** An address of an EVM platform. Its upper-case letters are only a checksum. */
const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i

/** An address as tables, slices and requests have it: EVM in lower case, others unchanged. */
export function canonicalAddress(address: string): string {
  return EVM_ADDRESS.test(address) ? address.toLowerCase() : address
}

/** `ethereum/0xdac17f...` split at the first slash; null when either part is missing. */
export function parseTokenRef(text: string): TokenRef | null {
  const slash = text.indexOf('/')
  if (slash <= 0 || slash === text.length - 1) return null
  return { platformId: text.slice(0, slash), contractAddress: text.slice(slash + 1) }
}

/** The text of a token in config, slices and ledger; the inverse of `parseTokenRef`. */
export function tokenText({ platformId, contractAddress }: TokenRef): string {
  return `${platformId}/${contractAddress}`
}
