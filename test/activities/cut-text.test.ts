import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutText } from '../../activities/cut-text.ts'

test.for([
  ['short', 20, 'short'],
  ['exactly twenty chars', 20, 'exactly twenty chars'],
  ['failed: GET http://host/path?with=a&long=query', 25, 'failed: GET ht ... =query'],
] as const)('%s in %d', ([text, max, cut]) => {
  expect(cutText(text, max)).toBe(cut)
})

test('never longer than asked, never half a character, ends kept', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.integer({ min: 10, max: 60 }),
      (text, max) => {
        const cut = cutText(text, max)
        expect(cut.length).toBeLessThanOrEqual(max)
        expect(cut.isWellFormed()).toBe(true)
        if (text.length <= max) expect(cut).toBe(text)
      },
    ),
  )
})
