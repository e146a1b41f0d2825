import { z } from 'zod'
import type { ConfigProblem } from './config-problem.ts'
import { didYouMean } from './did-you-mean.ts'
import { orderPath } from './order-path.ts'
import { configSchema, type ConfigDocument } from './schema.ts'
import type { ConfigPath, YamlSource } from './yaml-source.ts'

/** A map of the file and the keys it may have. */
interface Section {
  /** `datasets.*` for a map whose key is a name. */
  path: string
  keys: readonly string[]
}

const sections = sectionsOf(configSchema, [])

/** Sections whose keys are names of the user's choice, or of datasets. */
const NAMED_SECTIONS = ['datasets', 'schedules']

/** What is left of a file after its wrong parts were reported and taken out. */
export interface CheckedStructure {
  document: ConfigDocument
  problems: ConfigProblem[]
  /** Paths that were taken out ('' = everything): their settings are not to be called missing. */
  broken: ReadonlySet<string>
}

/**
 * Holds a parsed file against the schema. Whatever is wrong becomes a problem and is taken out, so
 * that the rest can still be read and all problems are told at once.
 */
export function checkStructure(source: YamlSource): CheckedStructure {
  const value = withOrdersInLists(withoutEmptySections(structuredClone(source.value)))
  const problems: ConfigProblem[] = []
  const broken = new Set<string>()
  const first = configSchema.safeParse(value)
  if (first.success) return { document: first.data, problems, broken }
  for (const issue of first.error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        problems.push(unknownKey(source, inFile(source, issue.path as ConfigPath), key))
        remove(value, [...(issue.path as ConfigPath), key])
      }
    } else {
      const path = issue.path as ConfigPath
      problems.push(wrongValue(source, inFile(source, path), issue))
      broken.add(path.filter((part) => typeof part === 'string').join('.'))
      remove(value, path)
    }
  }
  const second = configSchema.safeParse(value)
  if (!second.success) broken.add('')
  return { document: second.success ? second.data : {}, problems, broken }
}

/** `coins:` with nothing behind it means the defaults, as does an empty section. */
function withoutEmptySections(value: unknown): unknown {
  if (!isRecord(value)) return value
  for (const section of NAMED_SECTIONS) {
    const entries = value[section]
    if (!isRecord(entries)) continue
    for (const name of Object.keys(entries)) if (entries[name] === null) entries[name] = {}
  }
  for (const [key, schema] of Object.entries(configSchema.shape)) {
    if (value[key] === null && isMap(withoutOptional(schema))) delete value[key]
  }
  return value
}

/** A dataset's one map stands for a list of one; an empty map means the defaults. */
function withOrdersInLists(value: unknown): unknown {
  if (!isRecord(value) || !isRecord(value['datasets'])) return value
  for (const [name, orders] of Object.entries(value['datasets'])) {
    const list = Array.isArray(orders) ? orders : [orders]
    value['datasets'][name] = list.map((order: unknown) => order ?? {})
  }
  return value
}

/** The path of the file for one of the schema, in which each dataset has a list of orders. */
function inFile(source: YamlSource, path: ConfigPath): ConfigPath {
  const [section, name, place, ...rest] = path
  if (section !== 'datasets' || typeof place !== 'number') return path
  return [...orderPath(source, String(name), place), ...rest]
}

/** Every map that the schema has, the outer one first. */
function sectionsOf(schema: z.core.$ZodType, path: readonly string[]): Section[] {
  const type = withoutOptional(schema)
  if (type instanceof z.ZodRecord) return sectionsOf(type.valueType, [...path, '*'])
  if (type instanceof z.ZodArray) return sectionsOf(type.element, path)
  if (!(type instanceof z.ZodObject)) return []
  const inner = Object.entries(type.shape).flatMap(([key, one]) => sectionsOf(one, [...path, key]))
  return [{ path: path.join('.'), keys: Object.keys(type.shape) }, ...inner]
}

function isMap(type: z.core.$ZodType): boolean {
  return type instanceof z.ZodObject || type instanceof z.ZodRecord
}

function withoutOptional(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional ? schema.unwrap() : schema
}

function unknownKey(source: YamlSource, path: ConfigPath, key: string): ConfigProblem {
  const isNamed = NAMED_SECTIONS.includes(String(path[0]))
  const sectionPath = isNamed ? `${String(path[0])}.*` : path.join('.')
  const keys = sections.find((section) => section.path === sectionPath)?.keys ?? []
  const meant = didYouMean(key, keys)
  const homes = sections.filter((section) => section.keys.includes(key)).map((one) => one.path)
  const place = path.length === 0 ? 'the file' : `\`${pathText(path)}\``
  let hint = `${capital(place)} may have: ${keys.join(', ')}.`
  if (meant !== null) hint = `Did you mean \`${meant}\`?`
  else if (homes.length > 0) {
    const places = homes.map((home) => (home === '' ? 'at the top level' : `under \`${home}\``))
    hint = `\`${key}\` belongs ${places.join(' or ')}.`
  }
  return {
    where: source.whereKey([...path, key]),
    code: 'CONFIG_UNKNOWN_KEY',
    what: `${place} has no key \`${key}\``,
    hint,
  }
}

function wrongValue(source: YamlSource, path: ConfigPath, issue: z.core.$ZodIssue): ConfigProblem {
  const name = path.length === 0 ? 'the file' : pathText(path)
  return {
    where: source.whereValue(path),
    code: 'CONFIG_BAD_VALUE',
    what: `${name} ${issue.message}${isKey(path) ? '' : `, not ${shown(valueAt(source.value, path))}`}`,
    hint: 'Mend the value; `coinlake init` writes a file with every key explained.',
  }
}

/** `datasets.market_chart[1].from` */
function pathText(path: ConfigPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}

/** The values that are never shown, not even when they are wrong. */
function isKey([section, key]: ConfigPath): boolean {
  if (section === 'alerts' && key === 'webhook') return true
  return section === 'source' && (key === 'api_key' || key === 'api_keys')
}

const MAX_SHOWN_CHARS = 60

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}...` : text
}

function valueAt(value: unknown, path: ConfigPath): unknown {
  let node = value
  for (const part of path) node = (node as Record<string | number, unknown> | undefined)?.[part]
  return node
}

/** Takes out the value at a path: of a list with a wrong item that is no map the whole list, of a missing key its map. */
function remove(value: unknown, path: ConfigPath): void {
  const firstIndex = path.findIndex(
    (part, depth) =>
      typeof part === 'number' &&
      (depth === path.length - 1 || !isRecord(valueAt(value, path.slice(0, depth + 1)))),
  )
  const whole = firstIndex === -1 ? path : path.slice(0, firstIndex)
  const last = whole.at(-1)
  if (last === undefined) return
  const parent = valueAt(value, whole.slice(0, -1))
  if (!isRecord(parent)) return
  if (last in parent) delete parent[last]
  else remove(value, whole.slice(0, -1))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
