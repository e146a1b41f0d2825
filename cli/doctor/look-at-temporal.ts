import { engineStateDir } from '../../engine/engine-env.ts'
import { EngineError } from '../../engine/engine-error.ts'
import { findBinaryAtHand, TEMPORAL_CLI_VERSION } from '../../engine/server/find-server-binary.ts'
import { requireStateDir } from '../../engine/server/lease-server.ts'
import type { Effects } from '../effects.ts'
import { findClient, type ConnectedClient } from '../run/connect-client.ts'
import { doubt, fine, type CheckResult } from './finding.ts'
import { withOpen } from '../run/closing-after.ts'

const CONNECT_TIMEOUT_MS = 4_000
/** gRPC's code for a missing namespace. */
const NOT_FOUND = 5

/** Checks that Temporal answers and has the namespace, or that it can be started. Starts none. */
export async function lookAtTemporal(effects: Effects): Promise<CheckResult> {
  return await withOpen(findClient(effects, CONNECT_TIMEOUT_MS), (connected) =>
    connected === null ? lookForBinary(effects) : lookAtServer(connected),
  )
}

async function lookAtServer({ engine, client }: ConnectedClient): Promise<CheckResult> {
  const { serverVersion } = await client.workflowService.getSystemInfo({})
  const { namespace } = engine
  try {
    await client.workflowService.describeNamespace({ namespace })
  } catch (error) {
    if ((error as { code?: number }).code !== NOT_FOUND) throw error
    throw new EngineError(`Temporal at ${engine.address} has no namespace ${namespace}`, {
      code: 'TEMPORAL_NO_NAMESPACE',
      hint: `Make it with \`temporal operator namespace create ${namespace}\`, or set TEMPORAL_NAMESPACE.`,
      cause: error,
    })
  }
  return fine(`${engine.describe()}, server ${serverVersion}`)
}

async function lookForBinary({ env }: Effects): Promise<CheckResult> {
  const found = await findBinaryAtHand(env)
  requireStateDir(engineStateDir(env))
  if (!Array.isArray(found)) {
    return fine(`not running; the next run starts ${found.path} (CLI ${found.version})`)
  }
  return doubt({
    what: `no Temporal server binary at hand (${found.join('; ')})`,
    code: 'TEMPORAL_NOT_AT_HAND',
    hint: `The first run fetches Temporal CLI ${TEMPORAL_CLI_VERSION} (45 MB, once); without a network install it, or set TEMPORAL_ADDRESS.`,
  })
}
