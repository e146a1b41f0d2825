import { isLoopbackHost } from '../config/base-url.ts'

/** A name, or an address, and perhaps a port. */
const HOST = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::\d*)?$/i

/** The name or address that a Host header holds, in lower case; null for what is none. */
export function hostNameOf(header: string): string | null {
  const name = HOST.exec(header)?.[1]?.toLowerCase() ?? null
  return name?.endsWith('.') === true ? name.slice(0, -1) : name
}

/**
 * Whether the Host of a request is a name of the loopback, or one of `names`. A page in a browser sends the name that
 * it came from, which reveals a page whose name was made to lead here (DNS rebinding). Every browser sends the
 * header.
 */
export function isKnownHost(header: string | undefined, names: readonly string[]): boolean {
  if (header === undefined) return true
  const name = hostNameOf(header)
  return name !== null && (isLoopbackHost(name) || names.includes(name))
}
