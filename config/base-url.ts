import type { Profile } from './profiles.ts'
import { BadValue, type RawValue } from './settings/kind.ts'
import { parseText } from './settings/kinds.ts'

/** The address of no service, for a command without a configuration. Such a name resolves nowhere. */
export const NO_SOURCE = 'https://source.invalid'

/** Whether a host name means this machine, so that nobody else can read a key sent over plain http. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  )
}

/**
 * The base URL without trailing slash and without the profile's base path, which people often copy too. Elsewhere than
 * on loopback, http is refused, because it would send the key unencrypted.
 *
 * @throws BadValue CONFIG_BAD_URL
 */
export function parseBaseUrl(value: RawValue, profile: Profile): string {
  const text = parseText(value)
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw badUrl(
      text,
      'is not a web address',
      'Write https://host, or http://127.0.0.1:8400 for this machine.',
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw badUrl(
      text,
      'holds a user or password',
      'Give the key as source.api_key, taken from the environment.',
    )
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    throw badUrl(
      text,
      'would send the key unencrypted',
      'Use https; http is for services on this machine only (127.0.0.1, ::1, localhost).',
    )
  }
  if (url.search !== '' || url.hash !== '') {
    throw badUrl(text, 'has a query or fragment', 'End the address with the host or a path.')
  }
  const plain = `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '')
  return plain.endsWith(profile.basePath) ? plain.slice(0, -profile.basePath.length) : plain
}

/** The URL to which an operation's path is appended: base URL and the profile's base path. */
export function apiRootUrl(source: { baseUrl: string; profile: Profile }): string {
  return `${source.baseUrl}${source.profile.basePath}`
}

function badUrl(text: string, what: string, hint: string): BadValue {
  return new BadValue('CONFIG_BAD_URL', `${what}: ${JSON.stringify(withoutSecrets(text))}`, hint)
}

/** An address with its user and password, and with its query or fragment, replaced by `...`. */
export function withoutSecrets(text: string): string {
  const [from, to] = [text.indexOf('//'), text.lastIndexOf('@')]
  const plain = text.slice(to + 1).replace(/([?#]).*/s, '$1...')
  if (to === -1) return plain
  // Without `//`, or with a query before the `@`, the end of the password is not known.
  const isKnown = from !== -1 && from < to && !/[?#]/.test(text.slice(from, to))
  return isKnown ? `${text.slice(0, from)}//...@${plain}` : '...'
}
