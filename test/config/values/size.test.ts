import { expect, test } from 'vitest'
import { formatSize, parseSizeBytes } from '../../../config/values/size.ts'

test.each([
  ['1MiB', 1_048_576],
  ['64MiB', 67_108_864],
])('%s is %i bytes', (text, sizeBytes) => {
  expect(parseSizeBytes(text)).toBe(sizeBytes)
  expect(formatSize(sizeBytes)).toBe(text)
})

const noSizes = '0MiB 64 64MB 64mib 1GiB 1.5MiB -1MiB 1000MiB'

test.each(['', '64 MiB', '1MiB\n', ...noSizes.split(' ')])('%j is no size', (text) => {
  expect(parseSizeBytes(text)).toBeNull()
})

test('what is no whole number of MiB is said in bytes', () => {
  expect(formatSize(1_000)).toBe('1000 bytes')
})
