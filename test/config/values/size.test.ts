import { expect, test } from 'vitest'
import { formatSize, parseSizeBytes } from '../../../config/values/size.ts'

test.each([
  ['1MiB', 1_048_576],
  ['64MiB', 67_108_864],
])('%s is %i bytes', (text, sizeBytes) => {
  expect(parseSizeBytes(text)).toBe(sizeBytes)
  expect(formatSize(sizeBytes)).toBe(text)
})

test.each([
  '',
  '0MiB',
  '64',
  '64 MiB',
  '64MB',
  '64mib',
  '1GiB',
  '1.5MiB',
  '-1MiB',
  '1000MiB',
  '1MiB\n',
])('%j is no size', (text) => {
  expect(parseSizeBytes(text)).toBeNull()
})

test('what is no whole number of MiB is said in bytes', () => {
  expect(formatSize(1_000)).toBe('1000 bytes')
})
