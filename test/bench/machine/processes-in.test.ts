import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { endProcessesIn } from '../../../bench/machine/processes-in.ts'
import { tempDir } from '../../parts/temp-dir.ts'

test.runIf(process.platform === 'linux')(
  'what runs in a folder is ended, and what runs beside it is not',
  async () => {
    const dir = realpathSync(tempDir())
    const [inside, beside] = ['peer/below', 'peer-2'].map((name) => {
      const cwd = join(dir, name)
      mkdirSync(cwd, { recursive: true })
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { cwd })
      onTestFinished(() => void child.kill('SIGKILL'))
      return child
    })
    const gone = once(inside!, 'exit')
    expect(endProcessesIn(join(dir, 'peer'))).toBe(1)
    expect(await gone).toEqual([null, 'SIGKILL'])
    expect(beside!.exitCode ?? beside!.signalCode).toBeNull()
    expect(endProcessesIn(join(dir, 'nobody'))).toBe(0)
  },
)
