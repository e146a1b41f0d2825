import { fileURLToPath } from 'node:url'
import { pythonWith } from '../python-venv.ts'

/** Other clients under the same limit, with their own retries. */
export type BudgetPeer = 'hand' | 'dlt'

const PEERS: Record<BudgetPeer, { script: string; packages: readonly string[] }> = {
  hand: { script: 'limited_hand.py', packages: ['requests==2.34.2', 'duckdb==2.0.0'] },
  dlt: { script: 'limited_dlt.py', packages: ['dlt[duckdb]==1.31.0', 'duckdb==2.0.0'] },
}

/** The command of a peer without arguments, or why the peer is not available. */
export function peerCommand(peer: BudgetPeer, env: NodeJS.ProcessEnv): string[] | string {
  const { script, packages } = PEERS[peer]
  const prepared = pythonWith(packages, env)
  if (typeof prepared === 'string') return prepared
  return [prepared.python, fileURLToPath(new URL(`../peers/${script}`, import.meta.url))]
}
