import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
} from 'yaml'
import type { ConfigProblem } from '../config-problem.ts'

/** A path into the file: keys and list indexes. */
export type ConfigPath = readonly (string | number)[]

/** `datasets.market_chart[1].from` */
export function pathText(path: ConfigPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}

/** A parsed file with the place of everything in it. */
export interface YamlSource {
  file: string
  /** Plain values; {} for an empty file. */
  value: unknown
  /** `file:line:column` of the value at a path, or of the nearest existing thing above it. */
  whereValue(path: ConfigPath): string
  /** `file:line:column` of the key of that value. */
  whereKey(path: ConfigPath): string
  /** `file:line` of the key of that value, for `config show`. */
  originOf(path: ConfigPath): string
}

/** Keys whose values are ids, so that `null`, `true` or `000` are texts there. */
const ID_KEYS: ReadonlySet<unknown> = new Set([
  'coins',
  'exchanges',
  'tokens',
  'entities',
  'ignore',
  'queries',
  'vs_currencies',
])

/** A file with more aliases is refused as an attack on the parser. */
const MAX_ALIASES = 100

/** Parses the text of a file. Returns syntax problems, each with its place. */
export function parseYamlSource(
  file: string,
  text: string,
): { source: YamlSource; problems: ConfigProblem[] } {
  const lines = new LineCounter()
  // The parser's own error for a repeated key has no key, and often another place.
  const options = { prettyErrors: false, uniqueKeys: false, version: '1.2' } as const
  const doc = parseDocument(text, { lineCounter: lines, ...options })
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${line}:${col}`
  }
  const problems = [...doc.errors, ...doc.warnings].map((error) =>
    syntaxProblem(place(error.pos[0]), error.message),
  )
  keepIdsAsText(doc)
  visit(doc, {
    Alias(_, alias) {
      if (alias.resolve(doc) !== undefined) return
      const message = `the alias *${alias.source} stands for nothing above it`
      problems.push(syntaxProblem(place(startOf(alias) ?? 0), message))
    },
    Map(_, { items }) {
      const names = new Set<string>()
      for (const { key } of items) {
        const name = keyText(key)
        const message = `the key ${JSON.stringify(name)} is there twice`
        if (names.has(name)) problems.push(syntaxProblem(place(startOf(key) ?? 0), message))
        names.add(name)
      }
    },
  })
  let value: unknown = {}
  try {
    if (problems.length === 0) value = doc.toJS({ maxAliasCount: MAX_ALIASES }) ?? {}
  } catch (error) {
    problems.push(syntaxProblem(`${file}:1:1`, (error as Error).message))
  }
  const offsets = (path: ConfigPath) => findOffsets(doc, path)
  return {
    source: {
      file,
      value,
      whereValue: (path) => place(offsets(path).value),
      whereKey: (path) => place(offsets(path).key),
      originOf: (path) => `${file}:${lines.linePos(offsets(path).key).line}`,
    },
    problems,
  }
}

function syntaxProblem(where: string, message: string): ConfigProblem {
  return {
    where,
    code: 'CONFIG_SYNTAX',
    what: `not readable as YAML: ${message}`,
    hint: 'Correct the line: keys end with a colon and a space, nesting is by spaces, never tabs.',
  }
}

function keepIdsAsText(doc: Document): void {
  visit(doc, {
    Pair(_, pair) {
      if (!isScalar(pair.key) || !ID_KEYS.has(pair.key.value)) return
      const items = isSeq(pair.value) ? pair.value.items : [pair.value]
      for (const item of items) if (isScalar(item) && item.source) item.value = item.source
    },
  })
}

/** The offsets of key and value at a path, or at its nearest existing parent. */
function findOffsets(doc: Document, path: ConfigPath): { key: number; value: number } {
  let node: unknown = doc.contents
  let found = { key: startOf(node) ?? 0, value: startOf(node) ?? 0 }
  for (const segment of path) {
    if (isAlias(node)) node = node.resolve(doc)
    if (isMap(node)) {
      const pair = node.items.find((item) => keyText(item.key) === String(segment))
      if (pair === undefined) break
      const key = startOf(pair.key) ?? found.value
      node = pair.value
      found = { key, value: startOf(node) ?? key }
    } else if (isSeq(node) && typeof segment === 'number') {
      node = node.items[segment]
      const at = startOf(node) ?? found.value
      found = { key: at, value: at }
    } else break
  }
  return found
}

function keyText(key: unknown): string {
  return String(isScalar(key) ? key.value : key)
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0]
}
