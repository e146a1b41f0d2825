import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { cacheDir } from '../../engine/engine-env.ts'
import type { TlsFiles } from '../../service/serve-http.ts'
import type { Effects } from '../effects.ts'

/** The certificate of https. `certFile`: the file of one made here, for clients to trust; null = a named one. */
export interface OpenTls {
  tls: TlsFiles
  certFile: string | null
}

/** The named certificate, or one made for this machine; null = http. @throws ConfigError SERVE_OPTION or SERVICE_TLS */
export async function openTls(
  effects: Effects,
  options: Record<string, unknown>,
  host: string,
): Promise<OpenTls | null> {
  const { tls, tlsCert, tlsKey } = options
  if ((typeof tlsCert === 'string') !== (typeof tlsKey === 'string')) {
    throw new ConfigError('--tls-cert and --tls-key belong together', {
      code: 'SERVE_OPTION',
      hint: 'Give both files, or --tls alone for a certificate made here.',
    })
  }
  if (typeof tlsCert === 'string' && typeof tlsKey === 'string') {
    const files = { cert: readPem(effects, tlsCert), key: readPem(effects, tlsKey) }
    return { tls: files, certFile: null }
  }
  if (tls !== true) return null
  const { ownCertificate } = await import('./own-certificate.ts')
  // Clients check certificates by real time, whatever the service's clock shows.
  const dir = join(cacheDir(effects.env), 'tls')
  const { certFile, ...made } = await ownCertificate(dir, host, Date.now())
  return { tls: made, certFile }
}

function readPem(effects: Effects, file: string): string {
  try {
    return readFileSync(resolve(effects.cwd, file), 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new ConfigError(`the file ${file} cannot be read (${code})`, {
      code: 'SERVICE_TLS',
      hint: 'Name a PEM certificate with --tls-cert and its PEM private key with --tls-key.',
      cause,
    })
  }
}
