import { expect, test } from 'vitest'
import { alertOfBrokenRun } from '../../../activities/alerts/alert.ts'

test('the text is plain whatever the source said, and the run has its words', () => {
  const reason =
    'HTTP 400: <!channel> <http://evil|here> [x](http://evil) `code` a|b & @here \u001b[2J\u202eexe\u0000\nforged'
  const alert = alertOfBrokenRun(
    { runId: 'r1', schedule: '', code: 'SOURCE_BAD_REQUEST', reason, hint: 'Mend it.' },
    { warehouse: '/srv/lake', coinlakeVersion: '0', nowMs: 0 },
  )
  expect(alert.text).toBe(
    'coinlake: run r1 of /srv/lake failed: SOURCE_BAD_REQUEST: ' +
      "HTTP 400: \u2039!channel\u203a \u2039http://evil/here\u203a (x)(http://evil) 'code' a/b + (at)here " +
      '\\u001b[2J\\u202eexe\\u0000\\nforged'.replace('[', '('),
  )
  expect(alert.run?.fatal?.reason).toBe(reason)
})
