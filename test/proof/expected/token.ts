import type { AskedFor } from './expected-table.ts'

/** An EVM address, whose capitals are only a checksum: the source writes it in lower case. */
const EVM = /^0x[0-9a-f]{40}$/i

/** A token that was asked for as `platform/contract`; a contract may hold further slashes. */
export function tokenOf({ entity }: Pick<AskedFor, 'entity'>): {
  platformId: string
  contractAddress: string
} {
  const [platformId = '', ...rest] = entity.split('/')
  const address = rest.join('/')
  return { platformId, contractAddress: EVM.test(address) ? address.toLowerCase() : address }
}

/** The two columns that name a token. */
export function tokenColumns(asked: AskedFor): Record<string, string> {
  const { platformId, contractAddress } = tokenOf(asked)
  return { platform_id: platformId, contract_address: contractAddress }
}
