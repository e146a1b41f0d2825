import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkStagedAnswers } from '../../stage/check-staged-answers.ts'
import type { KnownState } from '../../stage/expire-stage.ts'
import { keptSlices } from '../../stage/kept-slices.ts'
import { pagePath } from '../../stage/page-path.ts'
import { tempDir } from '../parts/temp-dir.ts'
import { KEY, openSample, pageOf, ROWS } from './staged-sample.ts'

/** The last two share a folder. */
const ids = [KEY.sliceId, 'f'.repeat(20), `ff${'a'.repeat(18)}`] as const

/** Writes a page of a slice that the source answered at `atMs`. */
async function write(dir: string, key: Partial<typeof KEY>, atMs: number, more = false) {
  const page = pageOf(ROWS, {
    key: { ...KEY, ...key },
    next: more ? { step: 0, page: 2 } : null,
  })
  await openSample(dir).write({ ...page, facts: { ...page.facts, fetchedAtMs: atMs } })
}

async function briefly(...args: Parameters<typeof keptSlices>) {
  const found = await keptSlices(...args)
  return found.map((one) => [one.sliceId, one.generation, one.fetchedAtMs, one.isWhole])
}

test('slices come by the time of their newest page, then generation, then id', async () => {
  const dir = tempDir()
  await write(dir, { sliceId: ids[1] }, 5)
  await write(dir, { sliceId: ids[2] }, 5)
  await write(dir, { generation: 1 }, 5)
  await write(dir, {}, 3, true)
  expect(await briefly(dir)).toEqual([
    [ids[0], 0, 3, false],
    [ids[2], 0, 5, true],
    [ids[1], 0, 5, true],
    [ids[0], 1, 5, true],
  ])
  await write(dir, { page: 2 }, 9)
  expect((await briefly(dir)).at(-1)).toEqual([ids[0], 0, 9, true])
})

test('answers of the ledger are left out, and planned ones are marked', async () => {
  const dir = tempDir()
  const states = [...ids, 'e'.repeat(20)].map((sliceId, place) => {
    const state = (['loaded', 'planned', 'failed'] as const)[place]
    return [sliceId, state] as const
  })
  for (const [sliceId] of states) await write(dir, { sliceId }, 5)
  const known = new Map(states.map(([sliceId, state]) => [`${sliceId}-g0`, state]))
  const asked: string[] = []
  const ledger = async (digits: string): Promise<Map<string, KnownState>> => {
    asked.push(digits)
    const named = [...known].filter(([name]) => name.startsWith(digits))
    return new Map(named.flatMap(([name, state]) => (state === undefined ? [] : [[name, state]])))
  }
  const left = await keptSlices(dir, { ledger })
  expect(left.map((one) => [one.sliceId, one.isPlanned])).toEqual([
    ['e'.repeat(20), false],
    [ids[1], true],
  ])
  expect(asked).toEqual([KEY.sliceId.slice(0, 2), 'ee', 'ff'])
})

test('a slice without its first page is named, a foreign file is not', async () => {
  const dir = tempDir()
  await write(dir, {}, 3, true)
  writeFileSync(join(dir, 'pages', '01', 'notes.txt'), 'mine')
  const unreadable: string[] = []
  const onUnreadable = (path: string) => unreadable.push(path)
  await briefly(dir, { onUnreadable })
  expect(unreadable).toEqual([])
  writeFileSync(join(dir, pagePath(KEY)), '}{')
  expect(await briefly(dir)).toEqual([])
  expect(await briefly(dir, { onUnreadable })).toEqual([])
  expect(unreadable).toEqual([join(dir, pagePath(KEY))])
})

test('each answer is checked once, with its dataset where that can be read', async () => {
  const dir = tempDir()
  await write(dir, {}, 3, true)
  await write(dir, { page: 2 }, 3)
  writeFileSync(join(dir, pagePath({ ...KEY, page: 2 })), '}{')
  writeFileSync(join(dir, 'pages', '01', 'notes.txt'), 'mine')
  const checked: unknown[] = []
  for await (const one of checkStagedAnswers(dir)) checked.push(one)
  const [path, second] = [pagePath(KEY), pagePath({ ...KEY, page: 2 })]
  const fault = 'the facts are no JSON'
  expect(checked).toHaveLength(2)
  expect(checked).toContainEqual({ key: KEY, path, fault: null, dataset: 'market_chart' })
  const damaged = { key: { ...KEY, page: 2 }, path: second, fault, dataset: null }
  expect(checked).toContainEqual(damaged)
})
