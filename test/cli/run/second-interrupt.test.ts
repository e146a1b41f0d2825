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

test.runIf(hasScript)(
  'the second Ctrl-C ends a command whose thread is busy for good',
  async () => {
    const { type, said, ended } = atTerminal('busy')
    await expect.poll(said, { timeout: 30_000 }).toContain('begun')
    type(CTRL_C)
    await expect.poll(said, { timeout: 30_000 }).toContain('^C')
    type(CTRL_C)
    expect(await ended).toBe(128 + 9)
    expect(said()).not.toContain('stopping')
  },
)

test.runIf(hasScript)(
  'the first is heard by a free one, and the second ends it by its own word',
  async () => {
    const { type, said, ended } = atTerminal('free')
    await expect.poll(said, { timeout: 30_000 }).toContain('begun')
    type(CTRL_C)
    await expect.poll(said, { timeout: 30_000 }).toContain('stopping')
    type(CTRL_C)
    expect(await ended).toBe(130)
    expect(said()).toContain('quitting now')
  },
)
