import { DAY_MS } from '../../config/values/duration.ts'
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { writeDurably } from '../../config/atomic-file.ts'
import { ConfigError } from '../../config/config-error.ts'
import type { TlsFiles } from '../../service/serve-http.ts'

/** A certificate that was made here, and its file, which clients need for trust. */
export interface OwnCertificate extends TlsFiles {
  certFile: string
}

const VALID_DAYS = 365
/** A certificate is made again so many days before its end, so that no service outlives it. */
const RENEW_DAYS = 30
/** The names of this machine. Callers by another name or address need a certificate of the user. */
const NAMES = ['localhost', '127.0.0.1', '::1', hostname()]

/**
 * The certificate for https on this machine. Made once and kept in `dir`, because clients trust its file.
 *
 * @throws ConfigError SERVICE_TLS when `dir` cannot be written
 */
export async function ownCertificate(dir: string, nowMs: number): Promise<OwnCertificate> {
  const [certFile, keyFile] = [join(dir, 'localhost.crt'), join(dir, 'localhost.key')]
  const kept = readKept(certFile, keyFile)
  if (kept !== null && isValid(kept.cert, nowMs)) return { ...kept, certFile }
  const made = await make(nowMs)
  try {
    await writeDurably(keyFile, made.key)
    await writeDurably(certFile, made.cert, { mode: 0o644 })
  } catch (cause) {
    throw new ConfigError(`the certificate cannot be kept in ${dir}`, {
      code: 'SERVICE_TLS',
      hint: 'Make that folder writable, set XDG_CACHE_HOME, or give --tls-cert and --tls-key.',
      cause,
    })
  }
  return { ...made, certFile }
}

function readKept(certFile: string, keyFile: string): TlsFiles | null {
  try {
    return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
  } catch {
    return null
  }
}

function isValid(cert: string, nowMs: number): boolean {
  try {
    return new X509Certificate(cert).validToDate.getTime() - nowMs >= RENEW_DAYS * DAY_MS
  } catch {
    return false
  }
}

async function make(nowMs: number): Promise<TlsFiles> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    // A day earlier, for clients whose clock is slow.
    notBeforeDate: new Date(nowMs - DAY_MS),
    notAfterDate: new Date(nowMs + VALID_DAYS * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: NAMES.map((name) =>
          isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name },
        ),
      },
    ],
  })
  return { cert, key }
}
