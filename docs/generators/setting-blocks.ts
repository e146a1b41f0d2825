import {
  isNamedMap,
  isSection,
  type Facts,
  type Rows,
  type Setting,
} from '../../config/settings/setting.ts'
import { table } from '../../config/settings/table.ts'
import { code, partOf, tableLines } from './markdown.ts'

/** The lines of a block of settings. Its only part is `all`. */
export function settingLines(what: string): readonly string[] {
  return partOf({ all: settings }, what)
}

function settings(): string[] {
  const rows = Object.values(table.rows).flatMap((row) => tableRows(row, row.key))
  return ['', ...tableLines(['key', 'default', 'what it is'], rows), '']
}

function tableRows(row: Rows[string], path: string): string[][] {
  if (isNamedMap(row)) {
    const at = `${path}.${row.example}`
    const inner = isSection(row.each) ? innerRows(row.each.rows, at) : tableRows(row.each, at)
    return [cellsOf(path, '', row.about), ...inner]
  }
  if (isSection(row)) return [cellsOf(path, '', row.about), ...innerRows(row.rows, path)]
  return [cellsOf(path, defaultText(row), `${row.about}${wordsOf(row)}${otherWays(row)}`)]
}

function innerRows(rows: Rows, path: string): string[][] {
  return Object.values(rows).flatMap((row) => tableRows(row, `${path}.${row.key}`))
}

function defaultText({ default: fallback, otherwise, isRequired }: Setting<unknown>): string {
  if (isRequired === true) return 'required'
  return fallback === undefined ? (otherwise ?? '') : code([fallback].flat().join(', '))
}

/** The allowed words of a setting. */
function wordsOf({ json }: Setting<unknown>): string {
  const words = json['enum']
  return Array.isArray(words) ? ` One of ${words.map(code).join(', ')}.` : ''
}

/** The flag and the variable that set the same. */
function otherWays({ flag, env }: Facts): string {
  const name = flag?.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const ways = [name === undefined ? [] : code(`--${name}`), env === undefined ? [] : code(env)]
  return ways.flat().length === 0 ? '' : ` (${ways.flat().join(', ')})`
}

function cellsOf(path: string, fallback: string, about: string): string[] {
  return [code(path), fallback, about.replaceAll('<', '&lt;')]
}
