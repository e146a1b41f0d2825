import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import type { Operation } from '../api/operation.ts'
import type { Profile } from '../config/profiles.ts'
import type { AnswerSource } from './answer-source.ts'
import { encodeBody } from './encode-body.ts'
import type { KeyIdentity } from './callers/key-ring.ts'
import { refusalAnswer } from './refusal.ts'
import type { Refusal } from './refusal.ts'

/** The values that a request gathers on its way through the service. */
export interface ServiceEnv {
  /** Absent where the app is asked without a server. */
  Bindings: { incoming?: IncomingMessage }
  Variables: {
    operation: Operation | undefined
    /** Whose call it is; not set where nobody was admitted. */
    caller: KeyIdentity | undefined
    /** Faults that were ordered and met this answer. */
    injected: readonly string[] | undefined
    /** The status for the log when none was sent. */
    sentStatus: number | undefined
    /** Address that a wrong key came from. */
    wrongKeyFrom: string | undefined
    fault: unknown
    query: ReadonlyMap<string, readonly string[]>
    quotaHeaders: Record<string, string> | undefined
    /** The time of the answer, where it is not the source's clock. */
    atMs: number | undefined
  }
}

/** Writes answers, good and bad, with the headers that every one has. */
export interface Replies {
  send(
    c: Context<ServiceEnv>,
    status: number,
    plain: Uint8Array,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response>
  refuse(c: Context<ServiceEnv>, refusal: Refusal): Promise<Response>
}

export function createReplies(source: AnswerSource, profile: Profile): Replies {
  const send: Replies['send'] = async (c, status, plain, headers) => {
    const encoded = await encodeBody(plain, c.req.header('accept-encoding'))
    return new Response(encoded.bytes, {
      status,
      headers: {
        ...commonHeaders(c.get('atMs') ?? source.clock.nowMs()),
        ...c.get('quotaHeaders'),
        ...headers,
        ...encoded.headers,
      },
    })
  }
  return {
    send,
    refuse: (c, refusal) => {
      const { status, body, headers } = refusalAnswer(refusal, profile, source.clock.nowMs())
      return send(c, status, Buffer.from(JSON.stringify(body)), headers)
    },
  }
}

/** Date is set here, because Node would write the machine's time and not the source's. */
export function commonHeaders(atMs: number): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    date: new Date(atMs).toUTCString(),
  }
}
