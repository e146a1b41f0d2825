import { describe, expect, test } from 'vitest'
import { ERROR_BODY_BYTES, errorInJson, readErrorBody } from '../../api/error-body.ts'

const none = { message: '', bodyCode: null, isThrottle: false, isJson: true }
const text = { isJson: false }

describe('the shapes of error bodies', () => {
  test.each<[string, object]>([
    ['{"error":"coin not found"}', { message: 'coin not found' }],
    [
      '{"status":{"error_code":429,"error_message":"You\'ve exceeded it."}}',
      { message: "You've exceeded it.", bodyCode: 429, isThrottle: true },
    ],
    [
      '{"status":{"timestamp":"2024-03-30T07:22:29Z","error_code":10010,"error_message":"use pro"}}',
      { message: 'use pro', bodyCode: 10010 },
    ],
    [
      '{"error":{"status":{"timestamp":"x","error_code":10012,"error_message":"past 365 days"}}}',
      { message: 'past 365 days', bodyCode: 10012 },
    ],
    [
      '{"timestamp":"x","error_code":10012,"status":{"error_message":"Number of addresses"}}',
      { message: 'Number of addresses', bodyCode: 10012 },
    ],
    // Of a plain 5xx, where status is a number.
    ['{"status":500,"error":"Internal Server Error"}', { message: 'Internal Server Error' }],
    ['{"error":{"code":"10002","message":"No key"}}', { message: 'No key', bodyCode: 10002 }],
    ['Throttled', { ...text, message: 'Throttled', isThrottle: true }],
    [
      'error code: 1015',
      { ...text, message: 'error code: 1015', bodyCode: 1015, isThrottle: true },
    ],
    [
      '<!DOCTYPE html><title>Access denied</title><h1><span>Error</span> <span>1015</span></h1>',
      { ...text, message: 'HTML page "Access denied"', bodyCode: 1015, isThrottle: true },
    ],
    [
      '\n<html><title>414\n Request-URI Too Large</title></html>',
      { ...text, message: String.raw`HTML page "414\n Request-URI Too Large"` },
    ],
    ['"Throttled"', { message: 'Throttled', isThrottle: true }],
    ['<title lang="en">Gone</title>', { ...text, message: 'HTML page "Gone"' }],
    ['\n  <!doctype html><p>throttled', { ...text, message: 'HTML page ""' }],
    // A code after the part that is read.
    [`x${' '.repeat(ERROR_BODY_BYTES)}error code: 1015`, { ...text, message: 'x' }],
    ['{"status":{"message":"slow down"}}', { message: 'slow down' }],
    ['{"error":7}', {}],
    ['', text],
    ['{}', {}],
    ['[]', {}],
    ['null', {}],
  ])('%s', (body, is) => {
    expect(readErrorBody(body)).toEqual({ ...none, ...is })
  })

  test('long messages are cut, and stay on one line', () => {
    const { message } = readErrorBody(`{"error":"${'a b\\n'.repeat(500)}"}`)
    expect(message).toMatch(/^(a b )+a?\.{3}$/)
    expect(message.length).toBeLessThan(310)
  })
})

test.each([
  [[]],
  [{}],
  [{ status: 'OK' }],
  [{ gecko_says: 'hi' }],
  [{ prices: [] }],
  [{ name: 'x' }],
  [null],
  [{ code: 1.5 }],
  [{ code: '10a' }],
])('%j states no error', (json) => {
  expect(errorInJson(json)).toBeNull()
})
