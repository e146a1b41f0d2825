import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { openSample, ROWS, pageOf } from './staged-sample.ts'
import { tempDir } from '../parts/temp-dir.ts'

const CHILD = fileURLToPath(new URL('write-page.child.ts', import.meta.url))
let dir: string
beforeEach(async () => {
  dir = tempDir()
})
test('sweep leaves the temp files of the living, unless they are an hour old', async () => {
  const stage = openSample(dir)
  await stage.sweep()
  await stage.write(pageOf(ROWS))
  const [, host] = /\.([0-9a-f]{8})\./.exec(await tempNameSeenWhileWriting()) ?? []
  const mine = join(dir, 'tmp', `7.${host}.tmp-${process.pid}`)
  const foreign = join(dir, 'tmp', `7.00000000.tmp-${process.pid}`)
  const old = join(dir, 'tmp', `8.00000000.tmp-${process.pid}`)
  await Promise.all([mine, foreign, old].map((path) => writeFile(path, 'x')))
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  await utimes(old, longAgo, longAgo)
  await stage.sweep()
  expect((await readdir(join(dir, 'tmp'))).map((name) => join(dir, 'tmp', name)).sort()).toEqual(
    [mine, foreign].sort(),
  )
})

/** The host part of temp names is not exported: it is read off a temp file that a killed writer left. */
async function tempNameSeenWhileWriting(): Promise<string> {
  const other = tempDir()
  const child = spawn(process.execPath, [CHILD, other], {
    env: { ...process.env, COINLAKE_CRASH_AT: 'stage.rename.before' },
    stdio: 'inherit',
  })
  await once(child, 'exit')
  const [name = ''] = await readdir(join(other, 'tmp'))
  return name
}
