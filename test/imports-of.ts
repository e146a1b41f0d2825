import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** One module that a source file names. */
export interface Import {
  file: string
  line: number
  target: string
  isTypeOnly: boolean
  /** Within a function: loaded when it runs. */
  isLazy: boolean
}

/** Sources below a room, by their path in the repository. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
}

export function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found: Import[] = []
  const pattern =
    /^(?:import|export)\s+(type\s+)?(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm
  for (const match of text.matchAll(pattern)) {
    const line = text.slice(0, match.index).split('\n').length
    found.push({
      file,
      line,
      target: match[2] ?? match[3] ?? '',
      isTypeOnly: match[1] !== undefined,
      isLazy: match[3] !== undefined,
    })
  }
  return found
}
