import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import type { Operation } from '../api/operations.ts'
import type { Profile } from '../config/profiles.ts'
import type { AnswerSource } from './answer-source.ts'
import { quotaHeaders } from './callers/quota-headers.ts'
import type { KeyIdentity, QuotaState } from './callers/quotas.ts'
import { refusalAnswer, type Refusal } from './refusal.ts'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

const gzipAsync = promisify(gzip)

/** Compressing a smaller body costs more than it saves. */
const MIN_GZIP_BYTES = 1_024

export interface ServedRequest extends IncomingMessage {
  /** The Host header, if it names another service. */
  foreignHost?: string
}

/** The values that the service keeps with a request. */
export interface ServiceEnv {
  /** Absent in tests without a server. */
  Bindings: { incoming?: ServedRequest }
  Variables: {
    operation: Operation | undefined
    caller: KeyIdentity
    injected: readonly string[] | undefined
    /** For the log: 0 = no answer was sent. */
    loggedStatus: number | undefined
    wrongKeyFrom: string | undefined
    fault: unknown
    query: ReadonlyMap<string, readonly string[]>
    /** The quota that the answer tells, with its time on the source's clock; undefined = none is told. */
    quota: { state: QuotaState; nowMs: number } | undefined
    /** The time of the answer; undefined = the source's clock. */
    atMs: number | undefined
  }
}

export type Replies = ReturnType<typeof createReplies>

/** Writes answers and refusals, with the headers that all answers have. */
export function createReplies(source: AnswerSource, profile: Profile) {
  /** `skewMs`: how far the times in the headers are ahead. */
  const send = async (
    c: Context<ServiceEnv>,
    status: number,
    plain: Uint8Array,
    headers: Readonly<Record<string, string>>,
    skewMs = 0,
  ): Promise<Response> => {
    const encoded = await encodeBody(plain, c.req.header('accept-encoding'))
    const quota = c.get('quota')
    const atMs = c.get('atMs')
    return new Response(encoded.bytes, {
      status,
      headers: {
        ...commonHeaders((atMs ?? source.clock.nowMs()) + skewMs),
        ...(quota && quotaHeaders(profile.served, quota.state, (atMs ?? quota.nowMs) + skewMs)),
        ...headers,
        ...encoded.headers,
        // Node sets it only for a body, and HEAD has none.
        'content-length': String(encoded.bytes.byteLength),
      },
    })
  }
  return {
    send,
    refuse: (c: Context<ServiceEnv>, refusal: Refusal): Promise<Response> => {
      const { status, body, headers } = refusalAnswer(refusal, profile, source.clock.nowMs())
      return send(c, status, Buffer.from(JSON.stringify(body)), headers)
    },
  }
}

/** The headers of every answer. Date too: Node would write the machine's time. */
function commonHeaders(atMs: number): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    date: new Date(atMs).toUTCString(),
  }
}

/** Compresses when the caller accepts gzip. Fast rather than small: most callers are local. */
async function encodeBody(plain: Uint8Array, acceptEncoding: string | undefined) {
  const bytes = plain as Uint8Array<ArrayBuffer>
  const headers = { vary: 'Accept-Encoding' }
  if (plain.byteLength < MIN_GZIP_BYTES || !acceptsGzip(acceptEncoding)) return { bytes, headers }
  const packed = await gzipAsync(plain, { level: constants.Z_BEST_SPEED })
  return {
    bytes: packed,
    headers: { ...headers, 'content-encoding': 'gzip' },
  }
}

/** Whether Accept-Encoding allows gzip. `*` = every coding that the header does not name. */
function acceptsGzip(acceptEncoding = ''): boolean {
  const codings = parseAccept(acceptEncoding.toLowerCase())
  const weightOf = (coding: string) => codings.find(({ type }) => type === coding)?.q
  return (weightOf('gzip') ?? weightOf('*') ?? 0) > 0
}
