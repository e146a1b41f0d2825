import { isIP } from 'node:net'
import { withoutSecrets } from '../base-url.ts'
import { TEXT_OR_NUMBER } from './forms.ts'
import type { Kind } from './kind.ts'
import { textKind } from './kinds.ts'

const LOOPBACK = '127.0.0.1'
const MAX_PORT = 65_535

export interface BindAddress {
  kind: 'prometheus'
  host: string
  port: number
}

/** `9464`, `127.0.0.1:9464` or `[::1]:9464`; 0.0.0.0 listens on all addresses. */
export const bindAddress: Kind<BindAddress> = {
  ...textKind<BindAddress>({
    read(text) {
      const [, host = LOOPBACK, port = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? []
      const address = host === 'localhost' ? LOOPBACK : host.replace(/^\[(.*)\]$/, '$1')
      const number = Number(port)
      if (port === '' || number < 1 || number > MAX_PORT || isIP(address) === 0) return null
      const plain = isIP(address) === 6 ? `[${address}]` : address
      return { kind: 'prometheus', host: plain, port: number }
    },
    show: ({ host, port }) => `${host}:${port}`,
    code: 'CONFIG_BAD_ADDRESS',
    refusal: 'is no address to listen on',
    hint: 'Write a port (9464), or an IP address and a port: 127.0.0.1:9464.',
  }),
  ...TEXT_OR_NUMBER,
}

export const collector = textKind<{ kind: 'otlp'; url: string }>({
  read(text) {
    const url = URL.canParse(text) ? new URL(text) : null
    const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
    const isOpen = url?.username === '' && url.password === ''
    return isWeb && isOpen ? { kind: 'otlp', url: text } : null
  },
  show: ({ url }) => url,
  code: 'CONFIG_BAD_URL',
  refusal: 'is no web address, or names a user',
  quoted: withoutSecrets,
  hint: 'Write http://127.0.0.1:4318/v1/metrics; put further headers of a collector into OTEL_EXPORTER_OTLP_HEADERS.',
})
