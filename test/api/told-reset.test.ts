import { expect, test } from 'vitest'
import { readAnswer } from '../../api/answer.ts'
import { operations } from '../../api/operations.ts'
import { EMPTY_RESET_MEMORY, readRateHeaders } from '../../api/rate-headers.ts'

const NOW = Date.UTC(2024, 0, 1)
const CONTEXT = { url: 'http://localhost/v2/ping', calls: 1, durationMs: 1, key: null }

test.each([
  ['ahead', 5_000, 5_000],
  ['now', 0, 1_000],
  ['a second ago, as whole seconds and a way back can make it', -1_000, 1_000],
  ['ten minutes ago, which tells nothing of the next', -600_000, 60_000],
])('a refusal whose only hint is a reset %s', (_, aheadMs, waitMs) => {
  const headers = {
    'x-ratelimit-limit': '5',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String((NOW + aheadMs) / 1_000),
  }
  const memory = { ...EMPTY_RESET_MEMORY }
  const rate = readRateHeaders(headers, { askedAtMs: NOW, nowMs: NOW, dateMs: NOW, memory })
  const raw = { status: 429, headers, dateMs: NOW, rate, body: new Uint8Array(), encoded: null }
  const answer = readAnswer(operations.ping, raw, { ...CONTEXT, nowMs: NOW })
  expect(answer).toMatchObject({ kind: 'throttled', untilMs: NOW + waitMs })
})
