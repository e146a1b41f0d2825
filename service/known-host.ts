import { isLoopbackHost } from '../config/base-url.ts'

/** A name or an address, perhaps with a port. */
const HOST = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::\d*)?$/i

/** The name or address in a Host header, in lower case; null when the header has none. */
export function hostNameOf(header: string): string | null {
  const name = HOST.exec(header)?.[1]?.toLowerCase() ?? null
  return name?.endsWith('.') === true ? name.slice(0, -1) : name
}

/**
 * Whether the Host of a request is a name of the loopback, or one of `names`. A browser sends the name in the page's
 * address, so another site whose name was pointed at this service (DNS rebinding) is refused. Every browser sends Host.
 */
export function isKnownHost(header: string | undefined, names: readonly string[]): boolean {
  if (header === undefined) return true
  const name = hostNameOf(header)
  return name !== null && (isLoopbackHost(name) || names.includes(name))
}
