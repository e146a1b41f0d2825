import type { Context, MiddlewareHandler } from 'hono'
import type { KeyRing } from './key-ring.ts'
import type { KeyIdentity, Quotas } from './quotas.ts'
import type { Profile } from '../../config/profiles.ts'
import type { Replies, ServiceEnv } from '../reply.ts'
import { undecodableText } from '../check-params.ts'
import { FREE_WRONG_KEYS, WRONG_KEY_WAIT_MS, type WrongKeys } from './wrong-keys.ts'

/** The identity of all callers without an accepted key. They share one quota. */
const ANONYMOUS: KeyIdentity = { id: 'anonymous', quota: null }

export interface AdmitOptions {
  profile: Profile
  /** null = open: every key is accepted and has a quota of its own. */
  keys: KeyRing | null
  quotas: Quotas
  wrongKeys: WrongKeys
  /** The source's now, epoch ms. */
  nowMs: () => number
  replies: Replies
}

/** Checks host, key, quota, method and the encoding of the query, before the path is looked at. */
export function admitCallers(options: AdmitOptions): MiddlewareHandler<ServiceEnv> {
  const { profile, keys, replies } = options
  return async (c, next) => {
    const host = c.env?.incoming?.foreignHost
    if (host !== undefined) {
      c.set('quota', { state: options.quotas.peek(ANONYMOUS), nowMs: options.nowMs() })
      return replies.refuse(c, { kind: 'foreign_host', host })
    }
    const search = searchOf(c.req.url)
    c.set('query', queryOf(search))
    const key = callerKey(profile, c)
    const caller = identify(keys, key)
    // Read before the quota: a later time plus `resetInMs` could lie in the second after the window's end.
    const nowMs = options.nowMs()
    const state = options.quotas.take(caller ?? ANONYMOUS)
    c.set('caller', caller ?? ANONYMOUS)
    c.set('quota', { state, nowMs })
    const code = key === null ? foreignKeyCode(profile, c) : null
    if (code !== null) return replies.refuse(c, { kind: 'foreign_key', code })
    if (caller === null) {
      if (key !== null) {
        const address = c.env?.incoming?.socket.remoteAddress ?? 'unknown'
        c.set('wrongKeyFrom', address)
        if (!(await options.wrongKeys.note(address))) {
          const rate = { limit: FREE_WRONG_KEYS, resetInMs: WRONG_KEY_WAIT_MS }
          return replies.refuse(c, { kind: 'rate', ...rate })
        }
      }
      return replies.refuse(c, { kind: 'no_key' })
    }
    if (!state.allowed) return replies.refuse(c, { kind: 'rate', ...state })
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      return replies.refuse(c, { kind: 'method', method: c.req.method })
    }
    const wrong = undecodableText(search)
    return wrong === null
      ? next()
      : replies.refuse(c, { kind: 'params', status: 400, message: wrong })
  }
}

function identify(keys: KeyRing | null, key: string | null): KeyIdentity | null {
  if (keys === null) return key === null ? ANONYMOUS : { id: key, quota: null }
  return key === null ? null : keys.identify(key)
}

/** The query of a URL as it was sent, without its question mark. */
function searchOf(url: string): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

/** The decoded query. A map, because a caller may send any name, even `__proto__`. */
function queryOf(search: string): ReadonlyMap<string, readonly string[]> {
  const byName = Map.groupBy(new URLSearchParams(search), ([name]) => name)
  return new Map(Array.from(byName, ([name, own]) => [name, own.map(([, value]) => value)]))
}

/** The key of a request: from the profile's header, else its query parameter; null = none. */
function callerKey({ auth }: Profile, c: Context<ServiceEnv>): string | null {
  const sent = c.req.header(auth.header)?.trim() ?? ''
  const prefix = auth.template.replace('{key}', '').trim()
  const key = prefix === '' ? sent : afterWord(prefix, sent)
  if (key !== null && key !== '') return key
  return auth.queryParam === null ? null : (c.get('query').get(auth.queryParam)?.at(-1) ?? null)
}

/** The code of the refusal for a key in the header of another host; null = no such header. */
function foreignKeyCode({ served }: Profile, c: Context<ServiceEnv>): number | null {
  const known = Object.entries(served.foreignKeyHeaders)
  const sent = known.find(([name]) => c.req.header(name) !== undefined)
  return sent?.[1] ?? null
}

/** The key `abc` of `Bearer abc`; null when the text has another form. */
function afterWord(word: string, text: string): string | null {
  const [first = '', ...others] = text.split(/\s+/)
  return first.toLowerCase() === word.toLowerCase() && others.length === 1 ? others[0]! : null
}
