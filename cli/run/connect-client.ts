import { Client } from '@temporalio/client'
import { connectEngine, connectRunningEngine } from '../../engine/connect.ts'
import type { ConnectOptions, Engine } from '../../engine/connect.ts'
import { say, type Effects } from '../effects.ts'
import type { Defer } from './closing-after.ts'

export interface ConnectedClient {
  client: Client
  engine: Engine
  close: () => Promise<void>
}

/**
 * @param signal ends the wait for our own server while it starts
 * @throws EngineError; the signal's reason
 */
export async function connectClient(
  effects: Effects,
  signal?: AbortSignal,
): Promise<ConnectedClient> {
  const waiting = signal === undefined ? {} : { signal }
  return clientOf(await connectEngine({ ...engineOptions(effects), ...waiting }))
}

/**
 * Begins to connect, and closes the connection at the end of the work. Work that ends before it awaits the connection
 * aborts the attempt, which else waits a minute for a missing server.
 *
 * @returns a function that awaits the connection
 */
export function connectMeanwhile(effects: Effects, defer: Defer): () => Promise<ConnectedClient> {
  const unwanted = new AbortController()
  const connecting = connectClient(effects, unwanted.signal)
  connecting.catch(() => undefined)
  let isAwaited = false
  defer(() => {
    if (isAwaited) return
    unwanted.abort()
    void connecting.then(({ close }) => close()).catch(() => undefined)
  })
  return async () => {
    isAwaited = true
    const connected = await connecting
    defer(connected.close)
    return connected
  }
}

/**
 * Connects for commands that look at a run or control it. Starts no server, because without one no run is open.
 *
 * @param connectTimeoutMs longest wait for the server's answer; default 10 s.
 * @returns null when the user's own server is not running.
 * @throws EngineError
 */
export async function findClient(
  effects: Effects,
  connectTimeoutMs?: number,
): Promise<ConnectedClient | null> {
  const timeout = connectTimeoutMs === undefined ? {} : { connectTimeoutMs }
  const engine = await connectRunningEngine({ ...engineOptions(effects), ...timeout })
  return engine === null ? null : clientOf(engine)
}

function engineOptions(effects: Effects): ConnectOptions {
  return { env: effects.env, onProgress: (message) => say(effects, message) }
}

function clientOf(engine: Engine): ConnectedClient {
  const client = new Client({ connection: engine.connection, namespace: engine.namespace })
  return { client, engine, close: () => engine.close() }
}
