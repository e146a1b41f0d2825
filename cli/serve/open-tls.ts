import { join } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { cacheDir } from '../../engine/engine-env.ts'
import type { TlsFiles } from '../../service/serve-http.ts'
import type { Effects, Options } from '../effects.ts'
import { textOption } from '../run/choice-flags.ts'
import { readNamedFile } from './serve-options.ts'

const UNREADABLE_PEM = {
  what: 'the file',
  code: 'SERVICE_TLS',
  hint: 'Name a PEM certificate with --tls-cert and its PEM private key with --tls-key.',
}

/**
 * The named certificate, or one made for this machine; null = http. `certFile`: the certificate's file if it was made
 * here, so that clients can trust it; null = it was named.
 *
 * @throws ConfigError SERVE_OPTION or SERVICE_TLS
 */
export async function openTls(
  effects: Effects,
  options: Options,
  host: string,
): Promise<{ tls: TlsFiles; certFile: string | null } | null> {
  const cert = textOption(options, 'tlsCert')
  const key = textOption(options, 'tlsKey')
  if (cert !== undefined && key !== undefined) {
    const read = (file: string): string => readNamedFile(effects, file, UNREADABLE_PEM)
    return { tls: { cert: read(cert), key: read(key) }, certFile: null }
  }
  if (cert !== undefined || key !== undefined) {
    throw new ConfigError('--tls-cert and --tls-key belong together', {
      code: 'SERVE_OPTION',
      hint: 'Give both files, or --tls alone for a certificate made here.',
    })
  }
  if (options['tls'] !== true) return null
  const { ownCertificate } = await import('./own-certificate.ts')
  // Clients check certificates by real time, whatever the service's clock shows.
  const dir = join(cacheDir(effects.env), 'tls')
  const { certFile, ...made } = await ownCertificate(dir, host, Date.now())
  return { tls: made, certFile }
}
