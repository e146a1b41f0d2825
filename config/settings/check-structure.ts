import type { ConfigProblem } from '../config-problem.ts'
import { hintFor } from '../values/did-you-mean.ts'
import type { ConfigPath, YamlSource } from './yaml-source.ts'
import { isRecord } from '../values/is-record.ts'
import {
  isNamedMap,
  isRequired,
  isSection,
  type NamedMap,
  type Rows,
  type Section,
} from './setting.ts'
import { table } from './table.ts'

/** A file without its wrong parts, which are reported as problems. */
export interface CheckedStructure {
  document: unknown
  problems: ConfigProblem[]
}

/**
 * Checks a parsed file against the table. A wrong part becomes a problem and is removed. So the rest
 * is read too, and all problems are reported at once.
 */
export function checkStructure(source: YamlSource): CheckedStructure {
  const problems: ConfigProblem[] = []

  const refuse = (path: ConfigPath, what: string, value: unknown, isSecret = false): undefined => {
    const name = path.length === 0 ? 'the file' : pathText(path)
    problems.push({
      where: source.whereValue(path),
      code: 'CONFIG_BAD_VALUE',
      what: `${name} ${what}${isSecret ? '' : `, not ${shown(value)}`}`,
      hint: 'Correct the value; `coinlake init` writes a file with every key explained.',
    })
  }

  const cleaned = (row: Rows[string], value: unknown, path: ConfigPath): unknown => {
    if (isSection(row)) return cleanedSection(row, value, path)
    if (isNamedMap(row)) return cleanedNames(row, value, path)
    const misfit = row.misfitOf(value)
    if (misfit === null) return value
    const item = misfit.at.reduce<unknown>((list, at) => (list as unknown[])[Number(at)], value)
    return refuse([...path, ...misfit.at], misfit.what, item, row.isSecret)
  }

  const cleanedSection = ({ rows, form }: Section, value: unknown, path: ConfigPath): unknown => {
    if (!isRecord(value)) return refuse(path, form, value)
    const expected = Object.values(rows)
    const entries = Object.entries(value).flatMap(([key, inner]) => {
      const row = expected.find((one) => one.key === key)
      if (row === undefined) problems.push(unknownKey(source, path, key, keysOf(rows)))
      const isEmpty = inner === null && row !== undefined && mayBeEmpty(row)
      return row === undefined || isEmpty ? [] : [[key, cleaned(row, inner, [...path, key])]]
    })
    for (const row of expected) {
      if (!isRequired(row) || row.key in value) continue
      cleaned(row, undefined, [...path, row.key])
    }
    return Object.fromEntries(entries)
  }

  /** Cleans a map of names. A name without a value means the defaults. */
  const cleanedNames = (row: NamedMap, value: unknown, path: ConfigPath): unknown => {
    if (!isRecord(value)) return refuse(path, row.form, value)
    const entries = Object.entries(value).map(([name, inner]) => {
      const at = [...path, name]
      if (!row.mayBeList || !Array.isArray(inner)) {
        return [name, cleaned(row.each, isSection(row.each) ? (inner ?? {}) : inner, at)]
      }
      if (inner.length === 0) return [name, refuse(at, 'must not be empty', inner)]
      return [name, inner.map((item, index) => cleaned(row.each, item ?? {}, [...at, index]))]
    })
    return Object.fromEntries(entries)
  }

  return { document: cleaned(table, source.value, []) ?? {}, problems }
}

function keysOf(rows: Rows): string[] {
  return Object.values(rows).map(({ key }) => key)
}

/** The paths of all sections that have a key: `source.rate`, `datasets.*`. */
function homesOf(key: string, row: Rows[string], path: string): string[] {
  if (isNamedMap(row)) return homesOf(key, row.each, `${path}.*`)
  if (!isSection(row)) return []
  const below = Object.values(row.rows).flatMap((inner) =>
    homesOf(key, inner, path === '' ? inner.key : `${path}.${inner.key}`),
  )
  return keysOf(row.rows).includes(key) ? [path, ...below] : below
}

function unknownKey(
  source: YamlSource,
  path: ConfigPath,
  key: string,
  keys: readonly string[],
): ConfigProblem {
  const homes = homesOf(key, table, '').map((home) =>
    home === '' ? 'at the top level' : `under \`${home}\``,
  )
  const place = path.length === 0 ? 'the file' : `\`${pathText(path)}\``
  const otherwise =
    homes.length > 0
      ? `\`${key}\` belongs ${homes.join(' or ')}.`
      : `${place.charAt(0).toUpperCase()}${place.slice(1)} may have: ${keys.join(', ')}.`
  return {
    where: source.whereKey([...path, key]),
    code: 'CONFIG_UNKNOWN_KEY',
    what: `${place} has no key \`${key}\``,
    hint: hintFor(key, keys, otherwise),
  }
}

/** `datasets.market_chart[1].from` */
export function pathText(path: ConfigPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}

const MAX_SHOWN_CHARS = 60

export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}...` : text
}

/** Whether a section may have no value, because none of its keys is required. */
function mayBeEmpty(row: Rows[string]): boolean {
  return isNamedMap(row) || (isSection(row) && !Object.values(row.rows).some(isRequired))
}
