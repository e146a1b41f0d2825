import { didYouMean } from '../values/did-you-mean.ts'
import { DURATION_PATTERN, MINUTE_MS, formatDuration, parseDurationMs } from '../values/duration.ts'
import { formatSize, parseSizeBytes, SIZE_PATTERN } from '../values/size.ts'
import { formatUtc, parseUtcMs, UTC_DATE_PATTERN } from '../values/utc-date.ts'
import { list, text, textOrList, wholeNumber, YES_OR_NO } from './forms.ts'
import { BadValue, type Form, type Given, type Json, type Kind, type RawValue } from './kind.ts'

// Kinds that several sections use, and the functions that make kinds. Flags and the environment are
// parsed like the file and get the same messages. The patterns go into the JSON schema for editors.

const CONTROL_PATTERN = /\p{Cc}/u
const NOTHING_HINT = 'Write a value or leave the key out.'

/** Trimmed text. @throws BadValue for text that is empty or has a reference to the environment. */
export function parseText(value: RawValue): string {
  const text = String(value).trim()
  if (text === '') throw new BadValue('CONFIG_BAD_VALUE', 'is empty', NOTHING_HINT)
  if (text.includes('${')) {
    throw new BadValue(
      'CONFIG_SUBSTITUTION',
      `uses the environment: ${JSON.stringify(text)}`,
      'Only `source.api_key` may be taken from the environment with ${NAME}; write the value itself.',
    )
  }
  return text
}

interface TextKind<T> {
  /** The JSON schema's pattern or enum. */
  json?: Json
  /** null = the text is no value of this kind. */
  read: (text: string, given: Given) => T | null
  show?: (value: T) => string
  /** The error of a wrong text: its code, the words before the text, and the next step. */
  code: string
  refusal: string
  hint: string | ((text: string) => string)
  /** The text as messages show it. */
  quoted?: (text: string) => string
}

export function textKind<T>(kind: TextKind<T>): Kind<T> {
  const { json, read, show = String, code, refusal, hint, quoted = String } = kind
  return {
    ...text(json),
    parse(value, given) {
      const text = parseText(value)
      const found = read(text, given)
      if (found !== null) return found
      const what = `${refusal}: ${JSON.stringify(quoted(text))}`
      throw new BadValue(code, what, typeof hint === 'string' ? hint : hint(text))
    },
    show,
  }
}

const LIST = textOrList('must be a list, or one text with commas')

/** A kind of lists: a list in YAML, or one text with commas. Each value is kept once. */
export function listOf<T>(kind: Kind<T>, form: Form = LIST): Kind<readonly T[]> {
  return {
    ...form,
    parse: (value, given) => [...new Set(parseIds(value).map((item) => kind.parse(item, given)))],
    show: (found) => found.map((item) => kind.show(item)).join(', ') || 'none',
  }
}

export const plainText: Kind<string> = { ...text(), parse: parseText, show: String }

export const date = textKind({
  json: { pattern: UTC_DATE_PATTERN },
  read: parseUtcMs,
  show: formatUtc,
  code: 'CONFIG_BAD_DATE',
  refusal: 'is not a date',
  hint: 'Write a day of the calendar such as 2024-01-31, or an ISO time such as 2024-01-31T12:00:00Z.',
})

export const duration = textKind({
  json: { pattern: DURATION_PATTERN },
  read: parseDurationMs,
  show: formatDuration,
  code: 'CONFIG_BAD_DURATION',
  refusal: 'is not a duration',
  hint: 'Write a whole number and one of s, m, h, d: 30s, 15m, 1h, 7d.',
})

export function durationWith(
  fits: (ms: number) => boolean,
  refusal: string,
  hint: string,
): Kind<number> {
  return textKind({
    json: { pattern: DURATION_PATTERN },
    read(text, given) {
      const ms = duration.parse(text, given)
      return fits(ms) ? ms : null
    },
    show: formatDuration,
    code: 'CONFIG_BAD_DURATION',
    refusal,
    hint,
  })
}

/** A duration of at least a minute, because the server accepts no shorter interval of a schedule. */
export const minuteOrMore = durationWith(
  (ms) => ms >= MINUTE_MS,
  'is less than a minute',
  'Write at least 1m.',
)

export function durationOr<const T extends string>(
  words: readonly T[],
  example: string,
): Kind<number | T> {
  const all = words.join(', ')
  return textKind<number | T>({
    json: { pattern: `^(${words.join('|')})$|${DURATION_PATTERN}` },
    read: (text) => words.find((word) => word === text) ?? parseDurationMs(text),
    show: (value) => (typeof value === 'number' ? formatDuration(value) : value),
    code: 'CONFIG_BAD_DURATION',
    refusal: `is neither ${all} nor a duration`,
    hint: `Write ${all}, or a duration such as ${example}.`,
  })
}

/** A body is read as one string, and a string cannot be much longer. */
const MAX_SIZE_BYTES = 256 * 1024 * 1024

export const size = textKind({
  json: { pattern: SIZE_PATTERN },
  read(text) {
    const sizeBytes = parseSizeBytes(text)
    return sizeBytes !== null && sizeBytes <= MAX_SIZE_BYTES ? sizeBytes : null
  },
  show: formatSize,
  code: 'CONFIG_BAD_SIZE',
  refusal: 'is not a size',
  hint: `Write a whole number of MiB from 1MiB to ${formatSize(MAX_SIZE_BYTES)}, such as 64MiB.`,
})

export function whole(min: number, max: number): Kind<number> {
  return { ...wholeNumber(min, max), parse: Number, show: String }
}

export const yesOrNo: Kind<boolean> = { ...YES_OR_NO, parse: Boolean, show: String }

export function word<const T extends string>(
  words: readonly T[],
  code = 'CONFIG_BAD_VALUE',
): Kind<T> {
  return textKind({
    json: { enum: words },
    read: (text) => words.find((word) => word === text) ?? null,
    code,
    refusal: 'is unknown',
    hint(text) {
      const meant = didYouMean(text, words)
      const choices = `Choose one of ${words.join(', ')}.`
      return meant === null ? choices : `Did you mean \`${meant}\`? ${choices}`
    },
  })
}

/** A list in YAML or a text with commas, trimmed, each id once. @throws BadValue CONFIG_BAD_ID or CONFIG_BAD_VALUE */
export function parseIds(value: RawValue): readonly string[] {
  return parseTexts(value, (id) => id.includes(','), [
    'CONFIG_BAD_ID',
    'is no id',
    'Write ids as the source spells them: [bitcoin, ethereum].',
  ])
}

/** Like parseIds for other texts. @throws BadValue with this code, refusal and hint; CONFIG_BAD_VALUE for an empty list */
export function parseTexts(
  value: RawValue,
  isBad: (text: string) => boolean,
  [code, refusal, hint]: readonly [string, string, string],
): readonly string[] {
  const items = typeof value === 'object' ? value : parseText(value).split(',')
  const texts = items.map((item) => item.trim())
  const bad = texts.find(
    (one) => one === '' || one.includes('${') || CONTROL_PATTERN.test(one) || isBad(one),
  )
  if (texts.length === 0) throw new BadValue('CONFIG_BAD_VALUE', 'is an empty list', NOTHING_HINT)
  if (bad === undefined) return [...new Set(texts)]
  throw new BadValue(code, `has a text that ${refusal}: ${JSON.stringify(bad)}`, hint)
}

export const IDS = textOrList('must be a list of ids, or one text of ids with commas between them')

export const ids: Kind<readonly string[]> = {
  ...IDS,
  parse: parseIds,
  show: (found) => found.join(', '),
}

export const argv: Kind<readonly string[]> = {
  ...list('must be a list: program, arguments'),
  parse: (value) => [value].flat().map(String),
  show: (found) => found.join(' '),
}
