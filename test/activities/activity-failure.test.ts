import { ApplicationFailure, CancelledFailure } from '@temporalio/activity'
import { expect, test } from 'vitest'
import { toApplicationFailure } from '../../activities/activity-failure.ts'
import { TooLateError } from '../../activities/fetch/fetch-page.ts'
import {
  SourceAuthError,
  SourceDataError,
  SourcePlanError,
  SourceRequestError,
  SourceUnavailableError,
} from '../../api/errors.ts'
import { ConfigError } from '../../config/config-error.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { StageError } from '../../stage/stage-error.ts'

const FACTS = { code: 'CODE', hint: 'Do this.' }

test.for<[string, Error, string, boolean, number]>([
  ['401', new SourceAuthError('refused'), 'SOURCE_AUTH', false, 4],
  ['plan', new SourcePlanError('too far'), 'SOURCE_PLAN', false, 3],
  ['404', new SourceRequestError('?', { code: 'SOURCE_NOT_FOUND' }), 'SOURCE_NOT_FOUND', false, 3],
  ['503', new SourceUnavailableError('later'), 'SOURCE_UNAVAILABLE', true, 4],
  ['TLS', new SourceUnavailableError('no', { retryable: false }), 'SOURCE_UNAVAILABLE', false, 4],
  ['shape', new SourceDataError('$ is no array'), 'SOURCE_DATA', false, 3],
  ['missed bucket', new TooLateError('late', FACTS), 'CODE', false, 3],
  ['sink', new SinkError('disk full', FACTS), 'CODE', false, 5],
  ['stage', new StageError('disk full', FACTS), 'CODE', false, 5],
  ['config', new ConfigError('no key', FACTS), 'CODE', false, 2],
  ['bug', new RangeError('no such dataset'), 'UNEXPECTED', false, 1],
])('%s', ([, error, type, isRetried, exitCode]) => {
  const failure = toApplicationFailure(error)
  expect(failure).toBeInstanceOf(ApplicationFailure)
  expect(failure).toMatchObject({
    message: error.message,
    type,
    nonRetryable: !isRetried,
    details: [{ exitCode, hint: expect.stringMatching(/./) }],
  })
})

test('what is thrown and is no error is a bug as well', () => {
  expect(toApplicationFailure('text')).toMatchObject({ message: 'text', type: 'UNEXPECTED' })
})

test('failures of Temporal itself stay what they are', () => {
  for (const failure of [ApplicationFailure.create({ message: 'x' }), new CancelledFailure('x')]) {
    expect(toApplicationFailure(failure)).toBe(failure)
  }
})

test('a failure stays small in the history, and keeps what failed and where', () => {
  const ids = Array.from({ length: 100 }, (_, i) => `coin-with-a-long-id-${i}`).join(',')
  const error = new SourceUnavailableError('the source is in trouble, HTTP 503', {
    url: `http://127.0.0.1:1/v2/coins/markets?ids=${ids}&page=1`,
  })
  const failure = toApplicationFailure(error)
  expect(error.message.length).toBeGreaterThan(2_000)
  expect(failure.message).toMatch(/^the source is in trouble, HTTP 503: GET .* \.\.\. .*&page=1$/)
  expect(failure.message.length).toBe(600)
  expect(failure.cause).toBeUndefined()
})
