import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { profiles, type Profile } from '../../config/profiles.ts'
import { parseUtcMs } from '../../config/values/utc-date.ts'
import { hostNameOf } from '../../service/known-host.ts'
import { parseQuotaText, type QuotaOptions } from '../../service/callers/quotas.ts'
import type { Effects } from '../effects.ts'

const MAX_PORT = 65_535

/** `500/1m` as a fixed window. @throws ConfigError SERVE_OPTION */
export function parseQuota(text: string): QuotaOptions {
  const quota = parseQuotaText(text)
  if (quota === null) throw bad('rate', text, 'Write calls and a window: 500/1m, 30/1s.')
  return quota
}

/** The profile that the service imitates. @throws ConfigError SERVE_OPTION */
export function parseProfile(text: string): Profile {
  const profile = Object.values(profiles).find(({ name }) => name === text)
  if (profile !== undefined) return profile
  throw bad('profile', text, `Write one of ${Object.keys(profiles).join(', ')}.`)
}

/** A port to listen on; 0 is any free one. @throws ConfigError SERVE_OPTION */
export function parsePort(text: string): number {
  const port = wholeNumber('port', text)
  if (port <= MAX_PORT) return port
  throw bad('port', text, `Write a number from 0 (any free one) to ${MAX_PORT}.`)
}

/** Host names of the service in lower case, as in a Host header. @throws ConfigError SERVE_OPTION */
export function parseHosts(texts: readonly string[]): string[] {
  return texts.map((text) => {
    const name = hostNameOf(text)
    if (name !== null) return name
    throw bad('allow-host', text, 'Write a name such as data.example.org.')
  })
}

/** 0, 1, 2, ... @throws ConfigError SERVE_OPTION */
export function wholeNumber(flag: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw bad(flag, text, 'Write a whole number.')
}

/** The time at which the service's clock is frozen, epoch ms. @throws ConfigError SERVE_OPTION */
export function parseClock(text: string, nowMs: number): number {
  const ms = text === 'frozen' ? nowMs : parseUtcMs(text)
  if (ms !== null) return ms
  throw bad('clock', text, 'Write `frozen`, or a UTC time such as 2026-01-01T00:00:00Z.')
}

/** The text of a file that an option names. @throws ConfigError with the code and hint of `trouble` */
export function readNamedFile(
  { cwd }: Effects,
  file: string,
  { what, ...trouble }: { what: string; code: string; hint: string },
): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new ConfigError(`${what} ${file} cannot be read (${code})`, { ...trouble, cause })
  }
}

function bad(flag: string, text: string, hint: string): ConfigError {
  return new ConfigError(`flag --${flag} cannot be ${JSON.stringify(text)}`, {
    code: 'SERVE_OPTION',
    hint,
  })
}
