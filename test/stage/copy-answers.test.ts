import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyAnswers } from '../../stage/copy-answers.ts'
import { pagePath } from '../../stage/page-path.ts'
import { tempDir } from '../parts/temp-dir.ts'
import { KEY, openSample, pageOf, ROWS, SLICE_ID } from './staged-sample.ts'

const KEYS = [KEY, { ...KEY, page: 2 }]

/** Flips a bit of a body. */
function damage(dir: string, key: typeof KEY): void {
  const file = join(dir, pagePath(key))
  const bytes = readFileSync(file)
  bytes[bytes.length - 5]! ^= 1
  writeFileSync(file, bytes)
}

test.each([
  ['a restore beside the warehouse', {}],
  ['a backup into the same folder again', { mayReplace: true }],
])('%s replaces a damaged answer by the whole one', async (_what, choice) => {
  const [from, to] = [join(tempDir(), 'a'), join(tempDir(), 'b')]
  for (const dir of [from, to]) {
    const stage = openSample(dir)
    for (const key of KEYS) {
      const next = key.page === 1 ? { step: 0, page: 2 } : null
      await stage.write(pageOf(ROWS, { key, next }))
    }
  }
  damage(to, KEY)
  expect(await copyAnswers(from, to, choice)).toMatchObject({ kept: 1, added: 1, damaged: [] })
  expect(await openSample(to).findSlice(SLICE_ID, 0)).toHaveLength(2)

  // Nothing whole is left to copy: named, and nothing changed.
  damage(to, KEY)
  damage(from, KEY)
  expect(await copyAnswers(from, to, choice)).toMatchObject({
    kept: 1,
    added: 0,
    damaged: [join(from, pagePath(KEY))],
  })
})

test('a backup names a damaged answer that the warehouse has no more', async () => {
  const dir = join(tempDir(), 'b')
  await openSample(dir).write(pageOf(ROWS))
  damage(dir, KEY)
  const empty = join(tempDir(), 'a')
  expect(await copyAnswers(empty, dir, { mayReplace: true })).toMatchObject({
    damaged: [join(dir, pagePath(KEY))],
  })
})
