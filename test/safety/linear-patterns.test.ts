import { expect, test } from 'vitest'
import { ARROWS } from '../arrows.ts'
import { sourceFiles } from '../imports-of.ts'
import { patternsIn } from './patterns-in.ts'
import { pumped, pumpedTexts } from './pumped-texts.ts'

const ROOT = new URL('../../', import.meta.url)
/** Small steps first, where an exponential expression gives itself away without taking a year. */
const CHARS = [8, 12, 16, 20, 24, 28, 32, 256, 1_024, 4_096, 16_384, 65_536]
/**
 * CPU of one search in the longest text. Linear ones take a fiftieth of it, the fastest quadratic ones three
 * times as much.
 */
const MOST_MS = 25
/** A search that takes a little longer is tried again: collecting garbage is not its fault. */
const TRIES = 3
const FAR_TOO_LONG_MS = 8 * MOST_MS

/** The text and time of the search that takes too long; null = none does. */
function slowest(source: string, flags: string): { tookMs: number; of: string | null } {
  let tookMs = 0
  for (const pump of pumpedTexts(source, flags)) {
    for (const chars of CHARS) {
      const text = pumped(pump, chars)
      const ms = leastMs(new RegExp(source, flags), text)
      tookMs = Math.max(tookMs, ms)
      if (ms > MOST_MS) {
        const of = `${chars} characters of ${JSON.stringify(pump)} take ${Math.round(ms)} ms`
        return { tookMs, of }
      }
    }
  }
  return { tookMs, of: null }
}

function leastMs(pattern: RegExp, text: string): number {
  let least = Infinity
  for (let tried = 0; tried < TRIES && least > MOST_MS; tried++) {
    pattern.lastIndex = 0
    const before = process.threadCpuUsage()
    if (pattern.global) text.replaceAll(pattern, '')
    else pattern.exec(text)
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
    if (least > FAR_TOO_LONG_MS) break
  }
  return least
}

test.each([
  ['<title[^>]*>([^<]*)<\\/title>', 'i'],
  ['\\/+$', ''],
  ['^(a+)+$', ''],
  ['^(?:a|\\w)*$', ''],
  ['^\\d+\\d+\\d+x', ''],
])('/%s/%s is told as more than linear', (source, flags) => {
  expect(slowest(source, flags).of).not.toBeNull()
})

test('each regular expression of the product is linear in the text, whatever that is', () => {
  const files = Object.keys(ARROWS).flatMap(sourceFiles).toSorted()
  const { patterns, composed } = patternsIn(ROOT, files)
  const slow: string[] = []
  let longest = { tookMs: 0, where: '' }
  for (const { source, flags, where } of patterns) {
    const { tookMs, of } = slowest(source, flags)
    if (of !== null) slow.push(`${where} /${source}/${flags}: ${of}`)
    else if (tookMs > longest.tookMs) longest = { tookMs, where }
  }
  const { tookMs, where } = longest
  process.stdout.write(
    `${patterns.length} expressions: at most ${tookMs.toFixed(1)} ms (${where})\n`,
  )
  expect(slow).toEqual([])
  // One that is made while the program runs could hold foreign text, and cannot be tried here.
  expect(composed).toEqual([])
  expect(patterns.length).toBeGreaterThan(100)
}, 300_000)
