import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'hono'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import type { Replies, ServiceEnv } from '../reply.ts'
import type { Spoilt } from './fault-kind.ts'

export interface GoodAnswer {
  /** Checked, with defaults. */
  params: ParamValues
  bytes: Uint8Array
  headers: Readonly<Record<string, string>>
}

/** Tells @hono/node-server that the answer is on its way. */
const ALREADY_SENT = { 'x-hono-already-sent': 'true' }

/** Sends a spoilt answer, which no cache may keep. */
export async function sendSpoilt(
  c: Context<ServiceEnv>,
  replies: Replies,
  good: GoodAnswer,
  spoilt: Spoilt,
): Promise<Response> {
  const gone = c.req.raw.signal
  if (spoilt.waitMs !== undefined) await waited(spoilt.waitMs, gone)
  if (spoilt.reset === 'before') return reset(c)
  const headers = { ...good.headers, 'cache-control': 'no-store', ...spoilt.headers }
  const { status = 200, bytes: body = good.bytes, skewMs } = spoilt
  const answer = await replies.send(c, status, body, headers, skewMs)
  if (spoilt.reset === undefined && spoilt.stallMs === undefined) return answer
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const afterHalf =
    spoilt.reset === 'in_body' ? () => cut(c) : () => waited(spoilt.stallMs ?? 0, gone)
  answer.headers.set('content-length', String(bytes.byteLength))
  return new Response(ReadableStream.from(inHalves(bytes, afterHalf)), {
    status: answer.status,
    headers: answer.headers,
  })
}

/** Gives half of the body, waits for `between`, then gives the rest if the caller is still there. */
async function* inHalves(
  bytes: Uint8Array,
  between: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const half = Math.ceil(bytes.byteLength / 2)
  yield bytes.subarray(0, half)
  // The stream asks for the second half only after the first has left.
  await between()
  yield bytes.subarray(half)
}

/** Time for the first half to leave: a reset discards unsent bytes. */
const HALF_SENT_MS = 20

/** Cuts the connection; the rest of the body is lost. */
async function cut(c: Context<ServiceEnv>): Promise<void> {
  await sleep(HALF_SENT_MS)
  destroy(c)
}

function reset(c: Context<ServiceEnv>): Response {
  destroy(c)
  c.set('loggedStatus', 0)
  return new Response(null, { headers: ALREADY_SENT })
}

/** Ends a connection with RST. TLS can only close it. Tests without a server have no socket. */
function destroy(c: Context<ServiceEnv>): void {
  const socket = c.env?.incoming?.socket
  try {
    socket?.resetAndDestroy()
  } catch {
    socket?.destroy()
  }
}

/** Waits for `ms`, or until the caller has gone. Does not keep the process alive. */
async function waited(ms: number, gone: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: gone, ref: false }).catch(() => undefined)
}
