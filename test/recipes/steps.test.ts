import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Page } from '../docs/page-text.ts'
import { recipeSteps } from './recipe-steps.ts'
import type { RecipeStep } from './recipe-steps.ts'
import { rowsMissingIn } from './rows-in-output.ts'
import { runSteps } from './run-steps.ts'
import { isAbridged, isSameOutput } from './same-output.ts'
import { withOutputs } from './with-outputs.ts'
import { tempDir } from '../parts/temp-dir.ts'

const cwd = realpathSync(tempDir(afterAll))
function block(line: number, language: string | null, text: string): Page['code'][number] {
  return { where: `docs/a.md:${line}`, language, text }
}

function step(commands: string): RecipeStep {
  return { where: 'a.md:1', commands, shown: null, shownLine: null }
}

test('the steps of a page: sh and python, each with the text that follows it', () => {
  const code = [
    block(1, 'console', 'harlequin\n'),
    block(4, 'sh', 'a\n'),
    block(5, null, 'a'),
    block(7, 'text', 'printed\n'),
    block(9, 'python', 'print(1)\n'),
    block(12, 'yaml', 'a: b\n'),
    block(15, 'text', 'of nothing\n'),
  ]
  expect(recipeSteps({ code } as Page)).toEqual([
    { where: 'docs/a.md:4', commands: 'a\n', shown: 'printed\n', shownLine: 7 },
    {
      where: 'docs/a.md:9',
      commands: "python - <<'END_OF_BLOCK'\nprint(1)\nEND_OF_BLOCK\n",
      shown: null,
      shownLine: null,
    },
  ])
})

test('steps share a shell: folder, variables, both streams', async () => {
  const steps = [
    step('x=7; cd /\n'),
    step('echo "$x $PWD $NAME"\n'),
    step('echo oops >&2; printf "\\033[1mb\\033[0m"'),
  ]
  const ended = await runSteps(steps, { cwd, env: { NAME: 'n' }, timeoutMs: 60_000 })
  expect(ended).toEqual({ printed: ['', '7 / n\n', 'oops\nb'], exitCode: 0 })
})

test('the first failure ends them, and what still runs', async () => {
  const steps = [step('sleep 300 & echo $! > pid\n'), step('false | cat\n'), step('echo never\n')]
  const env = { PATH: process.env['PATH'] }
  const ended = await runSteps(steps, { cwd, env, timeoutMs: 60_000 })
  expect(ended).toEqual({ printed: ['', ''], exitCode: 1 })
  const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'))
  await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false)
})

test('what takes too long is ended', async () => {
  const env = { PATH: process.env['PATH'] }
  const ended = await runSteps([step('sleep 300\n')], { cwd, env, timeoutMs: 100 })
  expect(ended).toEqual({ printed: [''], exitCode: null })
})

test.each([
  ['a\nb\n', 'a\nb\n', true],
  ['a  \nb', 'a\nb  \n\n', true],
  ['a\nb\n', 'a\nc\n', false],
  ['a\n', 'a\nb\n', false],
  ['a.c\n', 'abc\n', false],
  ['a\n...\nd\n', 'a\nb\nc\nd\n', true],
  ['a\n...\nd\n', 'a\nd\n', true],
  ['a\n...\nd\n', 'a\nb\n', false],
  ['09:01:02  Done (1.25s)\n', '23:59:59  Done (0.03s)\n', true],
  ['09:01:02  Done PASS=3\n', '23:59:59  Done PASS=4\n', false],
  ['coinlake-20261121T081625-19\n', 'coinlake-20261122T000000-a7\n', true],
])('%j shown, %j printed: %s', (shown, printed, isSame) => {
  expect(isSameOutput(shown, printed)).toBe(isSame)
})

test('only what is shown in parts has to be written by hand', () => {
  expect(isAbridged('a\n...\n')).toBe(true)
  expect(isAbridged('a ...\n')).toBe(false)
})

test.each([
  ['| 2026-10-01 | 29 | 116,001.01 |', []],
  ['2026-10   29 1.1600101e+05', []],
  ['2026-10-01 29.0 116001.0099', []],
  ['2026-10-01 30 116001.01', ['2026-10-01 29 116001.01']],
  ['2026-09-01 29 116001.01', ['2026-10-01 29 116001.01']],
  ['2026-10-01 29\n116001.01', ['2026-10-01 29 116001.01']],
  ['2026-10-01 29 116001', ['2026-10-01 29 116001.01']],
])('the row in %j', (output, missing) => {
  expect(rowsMissingIn(`head 1 2\n${output}\n`, [['2026-10-01', '29', '116001.01']])).toEqual(
    missing,
  )
})

test('outputs are written into a page, from the last to the first', () => {
  const page = [
    '# a',
    '```sh',
    'x',
    '```',
    '```text',
    '```',
    'b',
    '```text',
    'old',
    '```',
    '',
  ].join('\n')
  const shownAt = (shownLine: number, shown: string): RecipeStep => ({
    ...step('x'),
    shown,
    shownLine,
  })
  const others = [
    { step: shownAt(5, ''), output: 'one\ntwo  \n\n' },
    { step: shownAt(8, 'old\n'), output: 'new\n' },
  ]
  expect(withOutputs(page, others).split('\n')).toEqual([
    '# a',
    '```sh',
    'x',
    '```',
    '```text',
    'one',
    'two',
    '```',
    'b',
    '```text',
    'new',
    '```',
    '',
  ])
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
