import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { copyAnswers } from '../../stage/copy-answers.ts'
import { pagePath } from '../../stage/page-path.ts'
import { keepUniverse, keptUniverses } from '../../stage/universe-files.ts'
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

/** Sets the time at which an answer was written. */
function writtenAt(dir: string, key: typeof KEY, seconds: number): void {
  utimesSync(join(dir, pagePath(key)), seconds, seconds)
}

const OTHER = { ...KEY, sliceId: 'f'.repeat(20) }

test('chosen answers are linked into private folders, and found there by the next copy', async () => {
  const [from, to] = [join(tempDir(), 'a'), join(tempDir(), 'b')]
  const { facts, ...page } = pageOf(ROWS)
  const keys = [KEY, { ...KEY, page: 2 }, OTHER]
  for (const [at, key] of keys.entries()) {
    const slice = { ...facts.slice, entity: key === OTHER ? 'other' : 'own' }
    await openSample(from).write({ ...page, facts: { ...facts, key, slice } })
    writtenAt(from, key, at + 1)
  }
  const universe = { selector: 'top:1', coinIds: ['bitcoin'], chosenAtMs: 5 }
  await keepUniverse(from, universe)
  // Files of other programs, and the rest of a page that an older coinlake had removed.
  const slice = `${KEY.sliceId}-g0`
  mkdirSync(join(from, 'pages', '01', slice))
  for (const name of ['notes.txt', `${slice}/s9p1.abc.raw.zst`]) {
    writeFileSync(join(from, 'pages', '01', name), 'mine')
  }

  const untilMs = 2_000
  expect(await copyAnswers(from, to, { untilMs: untilMs - 1 })).toMatchObject({ added: 1 })
  const [first, second] = [KEY, { ...KEY, page: 2 }].map((key) => join(from, pagePath(key)))
  const addedBytes = statSync(second!).size
  const added = { kept: 1, added: 1, addedBytes, damaged: [], movedAside: [] }
  expect(await copyAnswers(from, to, { untilMs })).toEqual(added)
  const mayCopy = ({ entity }: { entity: string | null }) => entity === 'own'
  const none = { kept: 2, added: 0, addedBytes: 0, damaged: [], movedAside: [] }
  for (const choice of [{ mayCopy }, { mayCopy, mayReplace: true }]) {
    expect(await copyAnswers(from, to, choice)).toEqual(none)
  }
  expect(await copyAnswers(from, to)).toMatchObject({ kept: 2, added: 1 })
  const linked = join(to, pagePath(KEY))
  expect(statSync(linked).ino).toBe(statSync(first!).ino)
  expect(statSync(dirname(linked)).mode & 0o777).toBe(0o700)
  expect(await keptUniverses(to)).toEqual([universe])
})

test.each([
  ['a restore keeps the older answer of the warehouse', {}, 1, 'other'],
  ['a backup takes the newer answer', { mayReplace: true }, 1, 'own'],
  [
    'a backup keeps an answer that is newer than the warehouse has',
    { mayReplace: true },
    3,
    'other',
  ],
])('%s', async (_, choice, seconds, left) => {
  const [from, to] = [join(tempDir(), 'a'), join(tempDir(), 'b')]
  const { facts, ...page } = pageOf(ROWS)
  for (const [dir, entity] of [
    [from, 'own'],
    [to, 'other'],
  ] as const) {
    await openSample(dir).write({ ...page, facts: { ...facts, slice: { ...facts.slice, entity } } })
  }
  writtenAt(from, KEY, 2)
  writtenAt(to, KEY, seconds)
  // No page, but below the folder of pages.
  writeFileSync(join(to, 'pages', '01', 'notes.txt'), 'mine')
  const isAdded = left === 'own'
  expect(await copyAnswers(from, to, choice)).toMatchObject({
    kept: isAdded ? 0 : 1,
    added: isAdded ? 1 : 0,
    damaged: [],
  })
  expect((await openSample(to).find(KEY))?.slice.entity).toBe(left)
})

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

test('a backup names a damaged answer that the warehouse has no more once, and moves it aside', async () => {
  const dir = join(tempDir(), 'b')
  for (const key of KEYS) await openSample(dir).write(pageOf(ROWS, { key }))
  damage(dir, KEY)
  const empty = join(tempDir(), 'a')
  const aside = join(dir, 'damaged', `${KEY.sliceId}-g0`, basename(pagePath(KEY)))
  const copy = () => copyAnswers(empty, dir, { mayReplace: true })
  expect(await copy()).toMatchObject({ damaged: [], movedAside: [aside] })
  expect(existsSync(aside)).toBe(true)
  expect(await copy()).toMatchObject({ damaged: [], movedAside: [] })
})
