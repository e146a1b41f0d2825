import { expect, test } from 'vitest'
import { list, TEXT_OR_NUMBER, textOrList, wholeNumber } from '../../../config/settings/forms.ts'

const PORTS = wholeNumber(1, 64)
const IDS = list('must be a list')

test.each([
  [PORTS, 1, null],
  [PORTS, 64, null],
  [PORTS, 0, 'must be a whole number from 1 to 64'],
  [PORTS, 65, 'must be a whole number from 1 to 64'],
  [PORTS, 1.5, 'must be a whole number from 1 to 64'],
  [PORTS, '7', 'must be a whole number from 1 to 64'],
  [TEXT_OR_NUMBER, 9464, null],
  [TEXT_OR_NUMBER, 'host:9464', null],
  [TEXT_OR_NUMBER, Infinity, 'must be a port, or host:port'],
  [TEXT_OR_NUMBER, true, 'must be a port, or host:port'],
  [textOrList('must be ids'), ['a', 'b'], null],
  [textOrList('must be ids'), ['a', 7], 'must be ids'],
  [IDS, ['a'], null],
  [IDS, 'a', 'must be a list'],
  [IDS, [], 'must not be empty'],
  [IDS, ['a', 7], 'must be text'],
])('form %# of %j', (form, value, what) => {
  expect(form.misfitOf(value)?.what ?? null).toBe(what)
})

test('the item that is no text is named by its place', () => {
  expect(IDS.misfitOf(['a', 'b', 7])).toEqual({ at: [2], what: 'must be text' })
  expect(IDS.misfitOf([])?.at).toEqual([])
})
