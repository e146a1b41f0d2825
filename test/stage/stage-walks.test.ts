import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openStageWalks } from '../../stage/stage-walks.ts'

const DAY_MS = 86_400_000
let file = ''

beforeEach(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'coinlake-walks-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  file = join(dir, 'stage-walk.json')
})

/** A process that walks when it is due, and ends in order. */
async function walk(keep: 'forever' | number = 'forever'): Promise<boolean> {
  const walks = await openStageWalks(file, keep)
  const isDue = walks.isDue()
  if (isDue) await walks.note()
  expect(walks.isDue()).toBe(false)
  await walks.close()
  return isDue
}

test('the first process walks, the next ones of that day do not', async () => {
  expect([await walk(), await walk(), await walk()]).toEqual([true, false, false])
})

test('after a day or nearly one, and after a clock that was ahead', async () => {
  await walk()
  const noted = JSON.parse(await readFile(file, 'utf8')) as { walkedAtMs: number }
  for (const [byMs, isDue] of [
    [-DAY_MS, true],
    [-DAY_MS + 60_000, true],
    [-DAY_MS / 2, false],
    [60_000, true],
  ] as const) {
    const walkedAtMs = Date.now() + byMs
    await writeFile(file, JSON.stringify({ ...noted, walkedAtMs }))
    expect(await walk()).toBe(isDue)
  }
})

test('after a process that was killed', async () => {
  await walk()
  await openStageWalks(file, 'forever')
  expect([await walk(), await walk()]).toEqual([true, false])
})

test('after a process that was killed before it had walked, by one that ends without walking', async () => {
  await walk()
  await openStageWalks(file, 'forever')
  const idle = await openStageWalks(file, 'forever')
  await idle.close()
  expect(await walk()).toBe(true)
})

test('when answers are to be kept for another time', async () => {
  expect([await walk(), await walk(DAY_MS), await walk(DAY_MS)]).toEqual([true, true, false])
})

test('when the note is not sound, or cannot be written', async () => {
  await walk()
  for (const text of ['{"walked', '{"keep":"forever","isOpen":false}']) {
    await writeFile(file, text)
    expect(await walk()).toBe(true)
  }
  const walks = await openStageWalks(join(file, 'below'), 'forever')
  expect(walks.isDue()).toBe(true)
  await walks.close()
})
