import type { ConfigProblem } from '../config-problem.ts'
import { hintFor } from '../values/did-you-mean.ts'
import { isRecord } from '../values/is-record.ts'
import { flowYaml } from './flow-yaml.ts'
import {
  exampleOf,
  isNamedMap,
  isRequired,
  isSection,
  type NamedMap,
  type Rows,
  type Section,
} from './setting.ts'
import { table } from './table.ts'
import { pathText, type ConfigPath, type YamlSource } from './yaml-source.ts'

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

  const refuse = (row: Rows[string], path: ConfigPath, value: unknown, what: string): undefined => {
    const name = path.length === 0 ? 'the file' : pathText(path)
    const isHidden = hasSecret(row) && (value ?? null) !== null
    problems.push({
      where: source.whereValue(path),
      code: 'CONFIG_BAD_VALUE',
      what: `${name} ${what}${isHidden ? '' : `, not ${shown(value)}`}`,
      hint: hintOfForm(row, path),
    })
  }

  const cleaned = (row: Rows[string], value: unknown, path: ConfigPath): unknown => {
    if (isSection(row)) return cleanedSection(row, value, path)
    if (isNamedMap(row)) return cleanedNames(row, value, path)
    const misfit = row.misfitOf(value)
    return misfit === null ? value : refuse(row, path, value, misfit)
  }

  const cleanedSection = (section: Section, value: unknown, path: ConfigPath): unknown => {
    const { rows, form } = section
    if (!isRecord(value)) return refuse(section, path, value, form)
    const expected = Object.values(rows)
    const entries = Object.entries(value).flatMap(([key, inner]) => {
      const row = expected.find((one) => one.key === key)
      if (row === undefined) {
        const isHidden = path.length > 0 && hasSecret(section) && inner === null
        const place = path.length === 0 ? 'the file' : `\`${pathText(path)}\``
        problems.push({
          where: source.whereKey([...path, key]),
          code: 'CONFIG_UNKNOWN_KEY',
          what: `${place} has ${isHidden ? 'a key without a value' : `no key \`${key}\``}`,
          hint: hintFor(key, keysOf(section), mayHave(path, section)),
        })
      }
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
    if (!isRecord(value)) return refuse(row, path, value, row.form)
    const entries = Object.entries(value).map(([name, inner]) => {
      const at = [...path, name]
      if (row.mayBeList !== true || !Array.isArray(inner)) {
        return [name, cleaned(row.each, isSection(row.each) ? (inner ?? {}) : inner, at)]
      }
      if (inner.length === 0) return [name, refuse(row.each, at, inner, 'must not be empty')]
      return [name, inner.map((item, index) => cleaned(row.each, item ?? {}, [...at, index]))]
    })
    return Object.fromEntries(entries)
  }

  return { document: cleaned(table, source.value, []) ?? {}, problems }
}

/** Whether a row is a secret, or a section with one. A text in place of such a section may be the secret. */
function hasSecret(row: Rows[string]): boolean {
  if (isSection(row)) return Object.values(row.rows).some(hasSecret)
  return 'isSecret' in row && row.isSecret
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

/** The next step for a value that does not fit the form of its row: its keys, or an example. */
function hintOfForm(row: Rows[string], path: ConfigPath): string {
  if (isSection(row) && mayBeEmpty(row)) return mayHave(path, row)
  if (isNamedMap(row) && isSection(row.each)) {
    return `Write each name as a key: \`${row.example}: {...}\`.`
  }
  return `Write a value such as \`${flowYaml(exampleOf(row))}\`.`
}

function mayHave(path: ConfigPath, section: Section): string {
  const place = path.length === 0 ? 'The file' : `\`${pathText(path)}\``
  return `${place} may have: ${keysOf(section).join(', ')}.`
}

function keysOf({ rows }: Section): string[] {
  return Object.values(rows).map(({ key }) => key)
}
