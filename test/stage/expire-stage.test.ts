import { mkdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { expireStage, type KnownState, type Outlived } from '../../stage/expire-stage.ts'
import type { Stage, StageOptions } from '../../stage/open-stage.ts'
import { pagePath as pathOf } from '../../stage/page-path.ts'
import { sharedFiles } from '../../stage/shared-files.ts'
import { KEY, openSample, ROWS, SLICE_ID, pageOf } from './staged-sample.ts'
import { filesUnder } from '../parts/files-under.ts'
import { tempDir } from '../parts/temp-dir.ts'

const DAY = 86_400_000
const PAGE = `${SLICE_ID}-g0-s0p1.page`
let dir: string
beforeEach(() => {
  dir = tempDir()
})
function open(options: Partial<StageOptions> = {}): Stage {
  return openSample(dir, options)
}

/** Removes what is outlived, or only tells it. */
async function expire(
  { keep = 'forever', sharedBy }: Pick<Partial<StageOptions>, 'keep' | 'sharedBy'>,
  state: KnownState | null,
  isDryRun = false,
): Promise<Outlived[]> {
  const told: Outlived[] = []
  const options = { isDryRun, onOutlived: (outlived: Outlived) => told.push(outlived) }
  await expireStage(sharedFiles(dir), { dir, keep, sharedBy }, ofSlice(state), options)
  return told
}

function pagePath(name = PAGE): string {
  return join(dir, pathOf(KEY), '..', name)
}

const ofSlice = (state: KnownState | null) => async (): Promise<Map<string, KnownState>> =>
  new Map(state === null ? [] : [[`${SLICE_ID}-g0`, state]])
const age = async (days: number, name = PAGE): Promise<void> => {
  const at = new Date(Date.now() - days * DAY)
  await utimes(pagePath(name), at, at)
}

test.each([
  { keep: 'forever', state: 'loaded', stays: 3650, goes: null },
  { keep: 'forever', state: 'planned', stays: 29, goes: 31 },
  // Nothing but these answers may be left of a store that was lost.
  { keep: 'forever', state: null, stays: 3650, goes: null },
  { keep: 40 * DAY, state: 'loaded', stays: 39, goes: 41 },
  { keep: 40 * DAY, state: null, stays: 39, goes: 41 },
  { keep: 5 * DAY, state: 'loaded', stays: 4, goes: 6 },
  { keep: 5 * DAY, state: 'failed', stays: 29, goes: 31 },
  { keep: 'none', state: null, stays: 29, goes: 31 },
  // Of a shared place, the answers may be those of another warehouse.
  { keep: 5 * DAY, state: 'loaded', stays: 4, goes: 6, sharedBy: 'a' },
  { keep: 5 * DAY, state: 'planned', stays: 3650, goes: null, sharedBy: 'a' },
  { keep: 'none', state: null, stays: 3650, goes: null, sharedBy: 'a' },
  // The rest of a process that was killed between the commit of a load and its end.
  { keep: 'none', state: 'loaded', stays: null, goes: 0.001 },
] as const)(
  'keep: $keep, $state, shared by $sharedBy: an answer of $stays days stays, one of $goes goes',
  async ({ keep, state, stays, goes, ...shared }) => {
    const place = { keep, ...shared }
    await open(place).write(pageOf(ROWS))
    if (stays !== null) {
      await age(stays)
      expect(await expire(place, state)).toEqual([])
    }
    if (goes === null) return
    await age(goes)
    const why = state === 'loaded' ? 'kept_long_enough' : 'abandoned'
    const path = pagePath()
    const gone = [{ why, path, sizeBytes: (await stat(path)).size }]
    expect(await expire(place, state, true)).toEqual(gone)
    expect(await expire(place, state)).toEqual(gone)
    expect(filesUnder(dir)).toEqual([])
  },
)

test('foreign files are never removed', async () => {
  await mkdir(pagePath('.'), { recursive: true })
  await writeFile(pagePath('notes.txt'), 'mine')
  await age(3650, 'notes.txt')
  expect(await expire({ keep: 'none' }, null)).toEqual([])
  expect(filesUnder(dir)).toEqual([relative(dir, pagePath('notes.txt'))])
})

test('a damaged page goes after a month', async () => {
  await open().write(pageOf(ROWS))
  await writeFile(pagePath(), '}{')
  expect(await open().find(KEY)).toBeNull()
  const moved = join(dir, 'damaged', `${SLICE_ID}-g0`, PAGE)
  for (const [days, goes] of [
    [29, []],
    [31, ['damaged']],
  ] as const) {
    const at = new Date(Date.now() - days * DAY)
    await utimes(moved, at, at)
    expect((await expire({}, 'loaded')).map(({ why }) => why)).toEqual(goes)
  }
  expect(filesUnder(dir)).toEqual([])
})

test('once a day all are looked at, and when another time is kept', async () => {
  let looks = 0
  const ledger = async (): Promise<Map<string, KnownState>> => {
    looks += 1
    return new Map([[`${SLICE_ID}-g0`, 'loaded']])
  }
  await open().write(pageOf(ROWS))
  await age(400)
  await open().expireDaily(ledger)
  await open().expireDaily(ledger)
  expect(looks).toBe(1)
  await open({ keep: 500 * DAY }).expireDaily(ledger)
  expect(looks).toBe(2)
  const note = join(dir, 'expiry', 'last.json')
  const yesterday = new Date(Date.now() - DAY)
  await utimes(note, yesterday, yesterday)
  await open({ keep: 500 * DAY }).expireDaily(ledger)
  expect(looks).toBe(3)
})
