import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

/** A piece of code in a page, with where it stands (`README.md:12`). */
export interface Code {
  where: string
  /** Of a fenced block, e.g. `sh`; null for code within a sentence. */
  language: string | null
  text: string
}

/** A page of Markdown that people read, taken apart as far as tests need it. */
export interface Page {
  /** Path from the repository. */
  file: string
  text: string
  code: Code[]
  /** Targets of links, with where each stands. */
  links: { where: string; target: string }[]
  /** Anchors of the headings, as a link names them. */
  anchors: string[]
  lineCount: number
}

/** Every page that people read: beside package.json, in docs/ with its recipes, and in bench/. */
export function pages(): Page[] {
  const folders = ['.', 'docs', 'docs/recipes', 'bench']
  return folders
    .flatMap((folder) => readdirSync(join(REPOSITORY, folder)).map((name) => join(folder, name)))
    .filter((file) => file.endsWith('.md'))
    .map(readPage)
}

/** @param file path from the repository */
export function readPage(file: string): Page {
  const text = readFileSync(join(REPOSITORY, file), 'utf8')
  const page: Page = { file, text, code: [], links: [], anchors: [], lineCount: 0 }
  let block: Code | null = null
  const lines = text.replace(/\n$/, '').split('\n')
  lines.forEach((line, index) => {
    const where = `${file}:${index + 1}`
    const fence = /^```(\w*)$/.exec(line)
    if (fence !== null) {
      block = block === null ? { where, language: fence[1] ?? '', text: '' } : null
      if (block !== null) page.code.push(block)
    } else if (block !== null) {
      block.text += `${line}\n`
    } else {
      readProse(page, where, line)
    }
  })
  page.lineCount = lines.length
  return page
}

function readProse(page: Page, where: string, line: string): void {
  const heading = /^#+ (.*)$/.exec(line)
  if (heading !== null) page.anchors.push(anchorOf(heading[1] ?? ''))
  for (const [, text = ''] of line.matchAll(/`([^`]+)`/g)) {
    page.code.push({ where, language: null, text })
  }
  for (const [, target = ''] of line.matchAll(/\]\(([^)\s]+)\)/g))
    page.links.push({ where, target })
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** Names beside package.json: a path that begins with one of them means the repository. */
const TOP = new Set(readdirSync(REPOSITORY))
/** Without a folder, only these can be ours: a name such as `report.json` is the reader's. */
const FILE_OF_OURS = /^[\w-]+\.(?:ts|mjs|md)$/

/** The code within sentences that names a file or a folder of this repository. */
export function pathsIn(page: Page): { where: string; path: string }[] {
  return page.code
    .filter(({ language, text }) => language === null && /^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(text))
    .filter(({ text }) => {
      const [top = '', ...rest] = text.split('/')
      return rest.length > 0 ? TOP.has(top) : FILE_OF_OURS.test(text)
    })
    .map(({ where, text }) => ({ where, path: text }))
}

export function isThere(path: string): boolean {
  return existsSync(join(REPOSITORY, path))
}
