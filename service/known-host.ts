import { isLoopbackHost } from '../config/base-url.ts'

/** A name or an address, perhaps with a port. */
const HOST_PATTERN = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::\d*)?$/i

/** The name or address in a Host header, in lower case; null = neither. */
export function hostNameOf(header: string): string | null {
  const name = HOST_PATTERN.exec(header)?.[1]?.toLowerCase() ?? null
  return name?.endsWith('.') === true ? name.slice(0, -1) : name
}

/**
 * Whether the Host of a request is loopback or one of `names`. Browsers send the name of the page's address. So another
 * site whose name points at this service (DNS rebinding) is refused.
 */
export function isKnownHost(header: string, names: readonly string[]): boolean {
  const name = hostNameOf(header)
  return name !== null && (isLoopbackHost(name) || names.includes(name))
}
