import { readFileSync } from 'node:fs'
import { Secret } from '../values/secret.ts'
import { list, text } from './forms.ts'
import { BadValue, type Given, type Kind } from './kind.ts'
import { parsePath } from './place-kinds.ts'

/** A named secret that is missing. No problem yet, because only some commands need it. */
export interface MissingSecret {
  /** `env COINLAKE_API_KEY is not set` */
  missing: string
}

export type FoundSecret = Secret | MissingSecret

/** Makes a secret of a text. @throws BadValue that does not show the text */
type Check = (text: string) => Secret

const ENV_REFERENCE_PATTERN = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/

/** The secret from the environment for `${NAME}`; any other text is the secret itself. */
function fromText(text: string, env: Given['env'], check: Check): FoundSecret {
  const name = ENV_REFERENCE_PATTERN.exec(text)?.[1]
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

/** The path of a file that holds only a secret. */
export function secretFile(check: Check): Kind<FoundSecret> {
  return { ...text(), parse: (value, given) => fromFile(String(value), given, check), show }
}

export function several(one: Kind<FoundSecret>): Kind<readonly FoundSecret[]> {
  return {
    ...one,
    ...list('must be a list of texts'),
    parse: (value, given) => [value].flat().map((item) => one.parse(item, given)),
    show: (found) => found.map(show).join(', '),
  }
}

/** A key as a secret. Only visible ASCII without blanks fits, because a key is sent in a header. */
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

/** A web address as a secret, because everybody who knows it may post there. */
export function checkedUrl(text: string): Secret {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return new Secret(text)
  throw new BadValue(
    'CONFIG_BAD_URL',
    'is not a web address',
    'Write https://..., or ${NAME} alone for an environment variable that holds it.',
  )
}
