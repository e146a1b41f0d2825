import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const CHILD = fileURLToPath(new URL('busy.child.ts', import.meta.url))
const CTRL_C = '\u0003'
/** util-linux's: gives a program a terminal of its own, and passes on what is typed. */
const hasScript = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout)
if (!hasScript) console.warn('util-linux has no `script` here: Ctrl-C is not typed')

/** A command at a terminal, what it has said, and its end: `exec`, as dash would answer for it otherwise. */
function atTerminal(word: string) {
  const command = `exec '${process.execPath}' '${CHILD}' ${word}`
  const terminal = spawn('script', ['-qefc', command, '/dev/null'])
  let said = ''
  terminal.stdout.on('data', (text: Buffer) => (said += text.toString()))
  const ended = new Promise<number | null>((resolve) => terminal.on('close', resolve))
  onTestFinished(() => void terminal.kill('SIGKILL'))
  return { type: (text: string) => void terminal.stdin.write(text), said: () => said, ended }
}

test.runIf(hasScript).each([
  { what: 'busy for good: the second ends it', word: 'busy', first: '^C', code: 128 + 9 },
  { what: 'free: the first is heard', word: 'free', first: 'stopping', code: 130 },
])('Ctrl-C twice for a command whose thread is $what', async ({ word, first, code }) => {
  const { type, said, ended } = atTerminal(word)
  await expect.poll(said, { timeout: 30_000 }).toContain('begun')
  type(CTRL_C)
  await expect.poll(said, { timeout: 30_000 }).toContain(first)
  type(CTRL_C)
  expect(await ended).toBe(code)
  const isHeard = word === 'free'
  expect(said().includes('stopping')).toBe(isHeard)
  expect(said().includes('quitting now')).toBe(isHeard)
})
