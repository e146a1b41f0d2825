import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepUniverse, keptUniverses } from '../../stage/universe-files.ts'
import { tempDir } from '../parts/temp-dir.ts'

const TOP = { selector: 'top:2', coinIds: ['bitcoin', 'ethereum'], chosenAtMs: 5 }
const OF_CATEGORY = { selector: 'category:layer-1', coinIds: ['solana'], chosenAtMs: 6 }

test('each choice has one file, written anew only when the choice is another', async () => {
  const dir = tempDir()
  expect(await keptUniverses(dir)).toEqual([])
  await keepUniverse(dir, TOP)
  await keepUniverse(dir, OF_CATEGORY)
  expect(await keptUniverses(dir)).toHaveLength(2)
  const [name, other] = readdirSync(join(dir, 'universes')) as [string, string]
  expect([name, other].map((one) => one.length)).toEqual([25, 25])
  const before = statSync(join(dir, 'universes', name)).ino
  await keepUniverse(dir, TOP)
  await keepUniverse(dir, OF_CATEGORY)
  expect(statSync(join(dir, 'universes', name)).ino).toBe(before)
  await keepUniverse(dir, { ...TOP, coinIds: ['bitcoin'] })
  const selectors = new Map((await keptUniverses(dir)).map((one) => [one.selector, one]))
  expect(selectors.get('top:2')).toEqual({ ...TOP, coinIds: ['bitcoin'] })
  expect(selectors.get('category:layer-1')).toEqual(OF_CATEGORY)
})

test.each([
  ['a flipped coin', (text: string) => text.replace('bitcoin', 'bitcoim')],
  ['another format', (text: string) => text.replace('"format":1', '"format":2')],
  ['no choice', () => '{"format":1}'],
  ['no JSON', () => '}{'],
])('a file with %s is left out', async (_, harm) => {
  const dir = tempDir()
  await keepUniverse(dir, TOP)
  const path = join(dir, 'universes', readdirSync(join(dir, 'universes'))[0]!)
  writeFileSync(path, harm(readFileSync(path, 'utf8')))
  expect(await keptUniverses(dir)).toEqual([])
})
