import { expect, test } from 'vitest'
import { ConfigError } from '../../../config/config-error.ts'
import { publishError } from '../../../sinks/publish/publish-error.ts'

test.each([
  ['IO Error: Could not write file "/w/x.tmp": No space left on device', 'PUBLISH_DISK_FULL'],
  ['ENOSPC: no space left on device, write', 'PUBLISH_DISK_FULL'],
  ['IO Error: Could not write file "/w/x.tmp": File too large', 'PUBLISH_DISK_FULL'],
  ["EACCES: permission denied, mkdir '/w/duckdb'", 'PUBLISH_NOT_WRITABLE'],
  ['IO Error: Cannot open file "/w/x.tmp": Permission denied', 'PUBLISH_NOT_WRITABLE'],
  ["EEXIST: file already exists, mkdir '/w/duckdb'", 'PUBLISH_TARGET_FOREIGN'],
  ['Catalog Error: Table with name x does not exist!', 'PUBLISH_FAILED'],
])('%s is %s', (reason, code) => {
  const error = publishError(new Error(reason), '/w/coinlake.duckdb')
  expect(error).toMatchObject({ name: 'SinkError', code, exitCode: 5 })
  expect(error.message).toBe(`publishing /w/coinlake.duckdb failed: ${reason}`)
  expect(error.hint).not.toBe('')
})

test('an error raised on purpose stays what it is', () => {
  const own = new ConfigError('x', { code: 'X', hint: 'y' })
  expect(publishError(own, '/w')).toBe(own)
})
