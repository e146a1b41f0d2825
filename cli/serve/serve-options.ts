import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { profiles, type Profile } from '../../config/profiles.ts'
import { parseUtcMs } from '../../config/values/utc-date.ts'
import { hostNameOf } from '../../service/known-host.ts'
import type { QuotaOptions } from '../../service/callers/quota.ts'
import { parseQuotaText } from '../../service/callers/quota.ts'
import type { Effects } from '../effects.ts'

/** The variable with keys of the service. No flag has them, because `ps` would show it. */
export const SERVE_KEY_ENV = 'COINLAKE_SERVE_KEY'
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

/**
 * The accepted keys, one a line, from the file, else from COINLAKE_SERVE_KEY; [] = the service is open.
 *
 * @throws ConfigError SERVE_KEY_FILE, also for a variable without a key
 */
export function readServeKeys(effects: Effects, file: string | undefined): readonly string[] {
  if (file === undefined) {
    const text = effects.env[SERVE_KEY_ENV]
    const inEnv = linesOf(text ?? '')
    if (text === undefined || inEnv.length > 0) return inEnv
    throw new ConfigError(`${SERVE_KEY_ENV} is set and holds no key`, {
      code: 'SERVE_KEY_FILE',
      hint: 'Set it to one key a line, or unset it for an open service.',
    })
  }
  let keys: readonly string[]
  try {
    keys = linesOf(readFileSync(resolve(effects.cwd, file), 'utf8'))
  } catch (cause) {
    throw badKeyFile(file, `cannot be read (${(cause as NodeJS.ErrnoException).code})`, cause)
  }
  if (keys.length === 0) throw badKeyFile(file, 'holds no key')
  return keys
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function badKeyFile(file: string, what: string, cause?: unknown): ConfigError {
  return new ConfigError(`the key file ${file} ${what}`, {
    code: 'SERVE_KEY_FILE',
    hint: 'Name a text file with one key a line.',
    cause,
  })
}

function bad(flag: string, text: string, hint: string): ConfigError {
  return new ConfigError(`flag --${flag} cannot be ${JSON.stringify(text)}`, {
    code: 'SERVE_OPTION',
    hint,
  })
}
