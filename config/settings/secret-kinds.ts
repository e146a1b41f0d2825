import { readFileSync } from 'node:fs'
import { Secret } from '../values/secret.ts'
import { list, text } from './forms.ts'
import { BadValue, type Given, type Kind } from './kind.ts'
import { parsePath } from './place-kinds.ts'

/** A secret that is named and not there: no problem yet, as only some commands need it. */
export interface MissingSecret {
  /** `env COINLAKE_API_KEY is not set` */
  missing: string
}

export type FoundSecret = Secret | MissingSecret

/** Makes a secret of a text. @throws BadValue that does not show it */
type Check = (text: string) => Secret

const REFERENCE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/

/** `${NAME}` as what the environment has there; for those who insist, the secret itself. */
function fromText(text: string, env: Given['env'], check: Check): FoundSecret {
  const name = REFERENCE.exec(text)?.[1]
  if (name === undefined) return check(text)
  const found = env[name]?.trim() ?? ''
  if (found !== '') return check(found)
  return { missing: `env ${name} is ${env[name] === undefined ? 'not set' : 'empty'}` }
}

function fromFile(name: string, given: Given, check: Check): FoundSecret {
  const file = parsePath(name, given)
  try {
    const text = readFileSync(file, 'utf8').trim()
    return text === '' ? { missing: `${file} is empty` } : check(text)
  } catch (error) {
    if (error instanceof BadValue) throw error
    return { missing: `${file} cannot be read (${(error as NodeJS.ErrnoException).code})` }
  }
}

function show(found: FoundSecret): string {
  return found instanceof Secret ? String(found) : `none (${found.missing})`
}

export function secret(check: Check): Kind<FoundSecret> {
  return {
    ...text(),
    isSecret: true,
    parse(value, { by, env }) {
      const text = String(value).trim()
      return by === 'env' ? check(text) : fromText(text, env, check)
    },
    show,
  }
}

/** A file that holds a secret and nothing else. */
export function secretFile(check: Check): Kind<FoundSecret> {
  return { ...text(), parse: (value, given) => fromFile(String(value), given, check), show }
}

/** Several secrets, or files of them. */
export function several(one: Kind<FoundSecret>): Kind<readonly FoundSecret[]> {
  return {
    ...one,
    ...list('must be a list'),
    parse: (value, given) => [value].flat().map((item) => one.parse(item, given)),
    show: (found) => found.map(show).join(', '),
  }
}

/** A key travels in a header: visible ASCII in one word. The message never shows it. */
export function checkedKey(text: string): Secret {
  if (text.includes('${')) {
    throw new BadValue(
      'CONFIG_SUBSTITUTION',
      'mixes text and ${...}',
      'Write ${NAME} alone: the environment variable holds the whole key.',
    )
  }
  if (/^[\x21-\x7e]+$/.test(text)) return new Secret(text)
  throw new BadValue(
    'CONFIG_BAD_KEY',
    'is empty or holds blanks or characters that cannot stand in an HTTP header',
    'Copy the key again, without blanks and line breaks.',
  )
}

/** An address at which everybody who knows it may post: no message shows it. */
export function checkedUrl(text: string): Secret {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return new Secret(text)
  throw new BadValue(
    'CONFIG_BAD_URL',
    'is not a web address',
    'Write https://..., or ${NAME} alone for an environment variable that holds it.',
  )
}
