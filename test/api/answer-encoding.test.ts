import { expect, test } from 'vitest'
import { readAnswerOf } from './read-answer-of.ts'

const read = (body: Uint8Array) => readAnswerOf('coins/list', body)

test('bytes of another encoding are told, not taken for one and the same character', () => {
  const answered = read(Buffer.from('[{"id":"b\xF6r"},{"id":"b\xE4r"}]', 'latin1'))
  expect(answered).toMatchObject({
    code: 'SOURCE_DATA',
    facts: { status: 200, calls: 1 },
    message: expect.stringContaining('no UTF-8 (27 bytes)'),
  })
})

test('half a character at the end of a broken answer is a broken answer', () => {
  const answered = read(Buffer.from('[{"id":"börse"}]').subarray(0, 10))
  expect(answered).toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
})

test.each([
  ['a mark of byte order', Buffer.from('\uFEFF[]'), []],
  ['the replacement character itself', Buffer.from('["\uFFFD"]'), ['\uFFFD']],
  ['characters beyond the first plane', Buffer.from('["\u{1F984}"]'), ['\u{1F984}']],
])('%s is read', (_, body, json) => {
  expect(read(body)).toMatchObject({ kind: 'ok', json })
})
