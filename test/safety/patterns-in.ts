import { readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'

/** A regular expression of the product. */
export interface FoundPattern {
  source: string
  flags: string
  /** `api/answer.ts:12`. */
  where: string
}

/** The expressions of some files. `composed`: expressions made of what is known only when they run. */
export interface FoundPatterns {
  patterns: FoundPattern[]
  composed: string[]
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>

/** Reads source files: literals, and `new RegExp` of a text or of a constant of any of them. */
export function patternsIn(root: URL, paths: readonly string[]): FoundPatterns {
  const files = paths.map((path) => {
    const text = readFileSync(new URL(path, root), 'utf8')
    return { path, text, nodes: [...nodesOf(parseSync(path, text).program)] }
  })
  const constants = new Map<string, string>()
  for (const { nodes } of files) {
    for (const node of nodes) {
      const value = node.type === 'VariableDeclarator' ? textOf(node['init']) : null
      if (value !== null) constants.set((node['id'] as { name: string }).name, value)
    }
  }
  const found: FoundPatterns = { patterns: [], composed: [] }
  for (const { path, text, nodes } of files) {
    for (const node of nodes) {
      const where = (): string => `${path}:${text.slice(0, node.start).split('\n').length}`
      if (node.type === 'Literal' && isRecord(node['regex'])) {
        const { pattern, flags } = node['regex'] as { pattern: string; flags: string }
        found.patterns.push({ source: pattern, flags, where: where() })
      }
      const isMade = node.type === 'NewExpression' || node.type === 'CallExpression'
      if (!isMade || (node['callee'] as { name?: string }).name !== 'RegExp') continue
      const [made, flags] = node['arguments'] as Node[]
      const source = textOf(made) ?? constants.get(String((made as { name?: string }).name))
      if (source === undefined) found.composed.push(`${path}: ${text.slice(node.start, node.end)}`)
      else found.patterns.push({ source, flags: textOf(flags) ?? '', where: where() })
    }
  }
  return found
}

function* nodesOf(value: unknown): Generator<Node> {
  if (!isRecord(value) && !Array.isArray(value)) return
  if (isRecord(value) && typeof value['type'] === 'string') yield value as Node
  for (const child of Object.values(value)) yield* nodesOf(child)
}

function textOf(node: unknown): string | null {
  return isRecord(node) && typeof node['value'] === 'string' ? node['value'] : null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
