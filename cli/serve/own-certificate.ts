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
/** Addresses of all interfaces, which are no names. */
const EVERYWHERE = new Set(['0.0.0.0', '::'])

/**
 * The certificate for https on this machine. Made once and kept in `dir`, because clients trust its file. The
 * certificate names localhost, and where the service has another address also that and the machine's name.
 *
 * @throws ConfigError SERVICE_TLS when `dir` cannot be written
 */
export async function ownCertificate(
  dir: string,
  host: string,
  nowMs: number,
): Promise<OwnCertificate> {
  const names = namesFor(host)
  const stem = join(
    dir,
    names.includes(hostname()) ? `host-${host.replaceAll(':', '_')}` : 'localhost',
  )
  const files = { certFile: `${stem}.crt`, keyFile: `${stem}.key` }
  const kept = readKept(files)
  if (kept !== null && isValid(kept.cert, names, nowMs))
    return { ...kept, certFile: files.certFile }
  const made = await make(names, nowMs)
  try {
    await writeDurably(files.keyFile, made.key)
    await writeDurably(files.certFile, made.cert, { mode: 0o644 })
  } catch (cause) {
    throw new ConfigError(`the certificate cannot be kept in ${dir}`, {
      code: 'SERVICE_TLS',
      hint: 'Make that folder writable, set XDG_CACHE_HOME, or give --tls-cert and --tls-key.',
      cause,
    })
  }
  return { ...made, certFile: files.certFile }
}

function namesFor(host: string): readonly string[] {
  const local = ['localhost', '127.0.0.1', '::1']
  if (local.includes(host)) return local
  return [...local, hostname(), ...(EVERYWHERE.has(host) ? [] : [host])]
}

function readKept(files: { certFile: string; keyFile: string }): TlsFiles | null {
  try {
    return {
      cert: readFileSync(files.certFile, 'utf8'),
      key: readFileSync(files.keyFile, 'utf8'),
    }
  } catch {
    return null
  }
}

function isValid(cert: string, names: readonly string[], nowMs: number): boolean {
  try {
    const parsed = new X509Certificate(cert)
    if (parsed.validToDate.getTime() - nowMs < RENEW_DAYS * DAY_MS) return false
    return names.every(
      (name) => (isIP(name) === 0 ? parsed.checkHost(name) : parsed.checkIP(name)) !== undefined,
    )
  } catch {
    return false
  }
}

async function make(names: readonly string[], nowMs: number): Promise<TlsFiles> {
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
        altNames: names.map((name) =>
          isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name },
        ),
      },
    ],
  })
  return { cert, key }
}
