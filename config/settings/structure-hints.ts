import { hintFor } from '../values/did-you-mean.ts'
import { isRecord } from '../values/is-record.ts'
import { flowYaml } from './flow-yaml.ts'
import { pathText } from './path-text.ts'
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
import type { ConfigPath, YamlSource } from './yaml-source.ts'

/** A key that its section lacks, and its neighbours. */
interface UnknownKey {
  source: YamlSource
  path: ConfigPath
  key: string
  section: Section
  /** The map of the file with the key. */
  value: Readonly<Record<string, unknown>>
  /** The names of all datasets. */
  datasets: readonly string[]
}

/** The next step for an unknown key: a list, a place under `datasets:`, a similar key, or the section of that key. */
export function hintOfUnknownKey(unknown: UnknownKey): string {
  const { path, key, section, value, datasets } = unknown
  const listHint = splitListHint(unknown)
  if (listHint !== null) return listHint
  const isKeyToo = keyHint(table.rows.datasets, key) !== null
  if (datasets.includes(key) && (!isKeyToo || isMapOrMaps(value[key]))) {
    return `\`${key}\` is a dataset: indent it directly under \`datasets:\`.`
  }
  const keys = keysOf(section.rows)
  return hintFor(key, keys, homesHint(path, key, keys))
}

/** The next step for a value that does not fit the form of its row: the row's own hint, its keys, or an example. */
export function hintOfForm(row: Rows[string], path: ConfigPath, value: unknown): string {
  if (isNamedMap(row) && isSection(row.each)) {
    return `Write each name as a key: \`${row.example}: {...}\`.`
  }
  if (isSection(row) && !Object.values(row.rows).some(isRequired)) {
    return mayHave(path, keysOf(row.rows))
  }
  const example = `Write a value such as \`${flowYaml(exampleOf(row))}\`.`
  if (isSection(row) || isNamedMap(row)) return example
  const isNoText = typeof value === 'number' || typeof value === 'boolean'
  if (row.hintFor !== undefined) return row.hintFor(isNoText ? String(value) : '')
  const isForText = row.json['type'] !== 'integer' && row.json['type'] !== 'boolean'
  return isNoText && isForText ? `${example} Quotes make a text of a number.` : example
}

/** The next step for a name in a map of names that is a key of the maps below; null = it is none. */
export function keyHint(row: NamedMap, name: string): string | null {
  if (!isSection(row.each) || !keysOf(row.each.rows).includes(name)) return null
  return `\`${name}\` is a key of a name in \`${row.key}\`: indent it below that name.`
}

/** Whether a value may stand behind a name in a map of names; null means the defaults. */
export function isMapOrMaps(value: unknown): boolean {
  return [value].flat().every((one) => one === null || isRecord(one))
}

/**
 * The list that a comma in a flow map split into keys: `{ coins: bitcoin,ethereum }`; null = another fault. Only a
 * flow map has two keys on one line.
 */
function splitListHint({ source, path, key, section, value }: UnknownKey): string | null {
  const expected = Object.values(section.rows)
  const entries = Object.entries(value)
  const isItem = ([name, inner]: [string, unknown]): boolean =>
    inner === null && !expected.some((row) => row.key === name)
  const at = entries.findIndex(([name]) => name === key)
  const first = entries.slice(0, at + 1).findLastIndex((one) => !isItem(one))
  const [name, head] = entries[first] ?? []
  const row = expected.find((one) => one.key === name)
  if (first === at || row === undefined || isSection(row) || isNamedMap(row)) return null
  if (source.originOf([...path, row.key]) !== source.originOf([...path, key])) return null
  const after = entries.slice(first + 1)
  const end = after.findIndex((one) => !isItem(one))
  const items = after.slice(0, end === -1 ? after.length : end).map(([item]) => item)
  const list = [head, ...items]
  if (row.isSecret === true || row.misfitOf(list) !== null) return null
  return `Write several values as a list: \`${row.key}: ${flowYaml(list)}\`.`
}

function homesHint(path: ConfigPath, key: string, keys: readonly string[]): string {
  const homes = homesOf(key, table, '').map((home) =>
    home === '' ? 'at the top level' : `under \`${home}\``,
  )
  if (homes.length > 0) return `\`${key}\` belongs ${homes.join(' or ')}.`
  return mayHave(path, keys)
}

function mayHave(path: ConfigPath, keys: readonly string[]): string {
  const place = path.length === 0 ? 'The file' : `\`${pathText(path)}\``
  return `${place} may have: ${keys.join(', ')}.`
}

/** The paths of all sections that have a key: `source.rate`, `datasets.DATASET`. */
function homesOf(key: string, row: Rows[string], path: string): string[] {
  if (isNamedMap(row)) return homesOf(key, row.each, `${path}.${row.example}`)
  if (!isSection(row)) return []
  const below = Object.values(row.rows).flatMap((inner) =>
    homesOf(key, inner, path === '' ? inner.key : `${path}.${inner.key}`),
  )
  return keysOf(row.rows).includes(key) ? [path, ...below] : below
}

function keysOf(rows: Rows): string[] {
  return Object.values(rows).map(({ key }) => key)
}
