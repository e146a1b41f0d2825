import { Client } from '@temporalio/client'
import { connectEngine } from '../../engine/connect.ts'
import type { Engine } from '../../engine/connect.ts'
import type { Effects } from '../effects.ts'
import { say } from '../effects.ts'

export interface ConnectedClient {
  client: Client
  engine: Engine
  close: () => Promise<void>
}

/**
 * A Temporal client for commands. `COINLAKE_ENGINE_DIR` with `COINLAKE_ENGINE_ISOLATED=1` (demo and
 * tests) keeps away from TEMPORAL_* and from the user's own server.
 *
 * @throws EngineError
 */
export async function connectClient(effects: Effects): Promise<ConnectedClient> {
  const stateDir = effects.env['COINLAKE_ENGINE_DIR']
  const isIsolated = effects.env['COINLAKE_ENGINE_ISOLATED'] === '1' && stateDir !== undefined
  const engine = await connectEngine({
    env: effects.env,
    ...(isIsolated ? { isolated: { stateDir } } : {}),
    onProgress: (message) => say(effects, message),
  })
  const client = new Client({ connection: engine.connection, namespace: engine.namespace })
  return { client, engine, close: () => engine.close() }
}
