import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { CRASH_PLACES, CRASH_POINTS } from '../../config/crash-point.ts'
import { ARROWS } from '../arrows.ts'
import { sourceFiles } from '../imports-of.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const text = Object.keys(ARROWS)
  .flatMap(sourceFiles)
  .filter((file) => file !== 'config/crash-point.ts')
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n')

test('each point that is listed is in the code, before its step and after it, and no other', () => {
  const points = new Set([...text.matchAll(/\bcrashPoint\('([^']+)'\)/g)].map(([, name]) => name))
  // Files get their names in one place, which is told that it is a page's.
  expect(text).toMatch(/, 'stage\.rename'\)/)
  points.add('stage.rename.before').add('stage.rename.after')
  expect(points).toEqual(new Set(CRASH_POINTS))
  expect(new Set(CRASH_POINTS).size).toBe(2 * CRASH_PLACES.length)
})
