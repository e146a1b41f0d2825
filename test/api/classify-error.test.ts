import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { classifyError } from '../../api/classify-error.ts'
import { readErrorBody } from '../../api/error-body.ts'
import { SourceDataError } from '../../api/errors.ts'

const ASKED = 'http://127.0.0.1:8400/v2/coins/bitcoin/ohlc?vs_currency=usd&days=7'

function classify(status: number, body: string) {
  return classifyError(status, readErrorBody(body), { url: ASKED, calls: 1 })
}

function coded(code: number, words = 'words'): string {
  return JSON.stringify({ status: { error_code: code, error_message: words } })
}

describe('status and body to class, code, exit code, retryable', () => {
  test.each([
    [401, '{"error":"invalid API key"}', 'SourceAuthError', 'SOURCE_AUTH', 4, false],
    [403, '{"error":"no"}', 'SourceAuthError', 'SOURCE_AUTH', 4, false],
    [403, '<html><title>Just a moment</title>', 'SourceAuthError', 'SOURCE_AUTH', 4, false],
    [403, 'error code: 1020', 'SourceAuthError', 'SOURCE_AUTH', 4, false],
    [400, coded(10010), 'SourceAuthError', 'SOURCE_AUTH', 4, false],
    [400, coded(10011), 'SourceAuthError', 'SOURCE_AUTH', 4, false],
    [400, coded(10002), 'SourceAuthError', 'SOURCE_AUTH', 4, false],
    [401, coded(10005), 'SourcePlanError', 'SOURCE_PLAN', 3, false],
    [401, `{"error":${coded(10012)}}`, 'SourcePlanError', 'SOURCE_PLAN', 3, false],
    [200, coded(10012), 'SourcePlanError', 'SOURCE_PLAN', 3, false],
    [400, '{"error":"bad days"}', 'SourceRequestError', 'SOURCE_BAD_REQUEST', 3, false],
    [
      422,
      '{"error":"Missing parameter days"}',
      'SourceRequestError',
      'SOURCE_BAD_REQUEST',
      3,
      false,
    ],
    [414, '<html></html>', 'SourceRequestError', 'SOURCE_BAD_REQUEST', 3, false],
    [300, '', 'SourceRequestError', 'SOURCE_REDIRECTED', 3, false],
    [301, '', 'SourceRequestError', 'SOURCE_REDIRECTED', 3, false],
    // With a good status the body's code counts when it is a status of a refusal, else the words.
    [200, coded(200, 'not found'), 'SourceRequestError', 'SOURCE_NOT_FOUND', 3, false],
    [200, coded(400, 'not found'), 'SourceRequestError', 'SOURCE_BAD_REQUEST', 3, false],
    [200, coded(600), 'SourceRequestError', 'SOURCE_BAD_REQUEST', 3, false],
    [404, '{"error":"coin not found"}', 'SourceRequestError', 'SOURCE_NOT_FOUND', 3, false],
    [404, '<html></html>', 'SourceRequestError', 'SOURCE_NOT_FOUND', 3, false],
    [200, '{"error":"coin not found"}', 'SourceRequestError', 'SOURCE_NOT_FOUND', 3, false],
    [200, '{"error":"Could not find coin"}', 'SourceRequestError', 'SOURCE_NOT_FOUND', 3, false],
    [200, '{"error":"invalid vs_currency"}', 'SourceRequestError', 'SOURCE_BAD_REQUEST', 3, false],
    [200, coded(401), 'SourceAuthError', 'SOURCE_AUTH', 4, false],
    [200, coded(500), 'SourceUnavailableError', 'SOURCE_UNAVAILABLE', 4, true],
    [408, '', 'SourceUnavailableError', 'SOURCE_TIMEOUT', 4, true],
    [500, '{"status":500,"error":"x"}', 'SourceUnavailableError', 'SOURCE_UNAVAILABLE', 4, true],
    [502, '<html><title>Bad gateway', 'SourceUnavailableError', 'SOURCE_UNAVAILABLE', 4, true],
    [520, 'error code: 520', 'SourceUnavailableError', 'SOURCE_UNAVAILABLE', 4, true],
  ])('%i %s is %s %s', (status, body, name, code, exitCode, retryable) => {
    const error = classify(status, body)
    expect(error).toMatchObject({
      name,
      code,
      exitCode,
      retryable,
      facts: { url: ASKED, status, calls: 1 },
    })
    expect(error.message).toMatch(new RegExp(`HTTP ${status}`))
    expect(error.message.endsWith(`: GET ${ASKED}`)).toBe(true)
  })

  test.each([
    [400, coded(10002), 'the source wants a key, HTTP 400 (code 10002): words', 'source.api_key'],
    [400, coded(10010), 'the source does not take this kind of key, ', 'source.profile'],
    [403, 'error code: 1020', 'the source refuses the key, HTTP 403 (code 1020)', 'the proxy'],
    [403, '{"error":"invalid API key"}', 'the source refuses the key, HTTP 403', 'source.api_key'],
    [403, '<html>', 'the source refuses the key, HTTP 403', 'the proxy'],
    [404, '{"error":"coin not found"}', 'the source does not know what', 'Check the id'],
    [404, '<html>', 'the source does not know what', 'source.base_url'],
    [500, '', `the source is in trouble, HTTP 500: GET ${ASKED}`, ''],
    [422, '{"error":"no days"}', 'the source finds the request wrong, HTTP 422: no days: GET', ''],
  ])('%i %s says "%s" with a hint of %s', (status, body, says, hint) => {
    const error = classify(status, body)
    expect(error.message.startsWith(says)).toBe(true)
    expect(error.hint).toContain(hint)
  })
})

describe('recorded errors', () => {
  const samples = new URL('../../../shared/samples/', import.meta.url)
  const files = existsSync(samples)
    ? readdirSync(samples).filter((file) => file.startsWith('error-'))
    : []
  test('there are some', ({ skip }) => {
    if (!existsSync(samples)) skip('the recordings are not on this machine')
    expect(files.length).toBeGreaterThan(3)
  })
  test.each(files)('%s', (file) => {
    const status = Number(file.split('-')[1])
    const error = classify(status, readFileSync(new URL(file, samples), 'utf8'))
    expect(error.code).toBe(status === 422 ? 'SOURCE_BAD_REQUEST' : 'SOURCE_UNAVAILABLE')
    expect(error.message).toMatch(/Missing parameter|Internal Server Error/)
  })
})

test('an error without a request says nothing about one', () => {
  const error = new SourceDataError('market_chart: $.prices is no array')
  expect(error.message).toBe('market_chart: $.prices is no array')
  expect(error.facts).toEqual({ url: null, status: null, calls: 0 })
  expect([error.code, error.exitCode, error.retryable]).toEqual(['SOURCE_DATA', 3, false])
})
