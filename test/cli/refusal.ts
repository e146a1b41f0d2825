import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'vitest'

/** Output and exit code of a command, in this process or in one of its own. */
export interface Told {
  exitCode: number | null
  stdout: string
  stderr: string
}

/** How a mistake must be told. */
export interface Refusal {
  exit: number
  code: string
  /** Stands in the message: the place and the value. */
  says: string | RegExp
  hint: string | RegExp
}

/** One message with code and hint, no stack, the exit code; what else stderr says is `steps`. */
export function expectRefusal(told: Told, refusal: Refusal, steps: RegExp = /^$/): void {
  const { exitCode, stderr } = told
  const context = `exit ${exitCode}: ${stderr}`
  expect(exitCode, context).toBe(refusal.exit)
  const [, before = '', code = '', message = '', hint = ''] =
    /^([^]*?)error\[(\w+)\]: ([^]*)\n {2}hint: (.+)\n$/.exec(stderr) ?? []
  expect(code, context).toBe(refusal.code)
  expect(message, context).toMatch(refusal.says)
  expect(hint, context).toMatch(refusal.hint)
  expect(before, context).toMatch(steps)
  expect(stderr.match(/error\[/g), context).toHaveLength(1)
  expect(stderr, context).not.toMatch(/\n\s+at |node:internal|undefined/)
}

/** The same for a mistake that is met before anything is done: nothing else is said, but to programs the same. */
export function expectBareRefusal(told: Told, refusal: Refusal, isJson = false): void {
  const shown = isJson ? (JSON.parse(told.stdout) as { error: object }).error : told.stdout
  expect(shown).toEqual(isJson ? expect.objectContaining({ code: refusal.code }) : '')
  expectRefusal(told, refusal)
}

/** Every file below a folder with mode and content, every link with its target. */
export function treeState(dir: string, leavesOut: RegExp = /^$/): Record<string, string> {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true })
  const states = entries.map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return [relative(dir, path), stateOf(path)] as const
  })
  return Object.fromEntries(states.filter(([path]) => !leavesOut.test(path)))
}

function stateOf(path: string): string {
  const stat = lstatSync(path)
  if (stat.isSymbolicLink()) return `-> ${readlinkSync(path)}`
  const mode = (stat.mode & 0o777).toString(8)
  if (stat.isDirectory()) return `${mode} folder`
  return `${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`
}
