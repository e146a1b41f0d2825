import { describe, expect, test } from 'vitest'
import { ERROR_BODY_BYTES, errorInJson, readErrorBody } from '../../api/error-body.ts'

const none = { message: '', bodyCode: null, isThrottle: false, isJson: true }

describe('the shapes of error bodies', () => {
  test.each([
    {
      name: 'a flat string',
      body: '{"error":"coin not found"}',
      is: { ...none, message: 'coin not found' },
    },
    {
      name: 'a status object',
      body: '{"status":{"error_code":429,"error_message":"You\'ve exceeded the Rate Limit."}}',
      is: { ...none, message: "You've exceeded the Rate Limit.", bodyCode: 429, isThrottle: true },
    },
    {
      name: 'a status object with a time',
      body: '{"status":{"timestamp":"2024-03-30T07:22:29Z","error_code":10010,"error_message":"use pro"}}',
      is: { ...none, message: 'use pro', bodyCode: 10010 },
    },
    {
      name: 'a status object inside error',
      body: '{"error":{"status":{"timestamp":"2024-03-30T07:22:29.427+00:00","error_code":10012,"error_message":"past 365 days"}}}',
      is: { ...none, message: 'past 365 days', bodyCode: 10012 },
    },
    {
      name: 'code and message apart',
      body: '{"timestamp":"x","error_code":10012,"status":{"error_message":"Number of contract addresses"}}',
      is: { ...none, message: 'Number of contract addresses', bodyCode: 10012 },
    },
    {
      name: 'a plain 5xx, where status is a number',
      body: '{"status":500,"error":"Internal Server Error"}',
      is: { ...none, message: 'Internal Server Error' },
    },
    {
      name: 'a code as text',
      body: '{"error":{"code":"10002","message":"API Key Missing"}}',
      is: { ...none, message: 'API Key Missing', bodyCode: 10002 },
    },
    {
      name: 'plain text',
      body: 'Throttled',
      is: { message: 'Throttled', bodyCode: null, isThrottle: true, isJson: false },
    },
    {
      name: 'the code of the edge',
      body: 'error code: 1015',
      is: { message: 'error code: 1015', bodyCode: 1015, isThrottle: true, isJson: false },
    },
    {
      name: 'a page of the edge',
      body: '<!DOCTYPE html><html><head><title>Access denied</title></head><body><h1><span>Error</span> <span>1015</span></h1></body></html>',
      is: { message: 'HTML page "Access denied"', bodyCode: 1015, isThrottle: true, isJson: false },
    },
    {
      name: 'some page',
      body: '\n<html><title>414\n Request-URI Too Large</title></html>',
      is: {
        message: String.raw`HTML page "414\n Request-URI Too Large"`,
        bodyCode: null,
        isThrottle: false,
        isJson: false,
      },
    },
    {
      name: 'JSON text',
      body: '"Throttled"',
      is: { ...none, message: 'Throttled', isThrottle: true },
    },
    {
      name: 'a page with attributes in its title',
      body: '<title lang="en">Gone</title>',
      is: { ...none, message: 'HTML page "Gone"', isJson: false },
    },
    {
      name: 'a page without a title',
      body: '\n  <!doctype html><p>throttled',
      is: { ...none, message: 'HTML page ""', isJson: false },
    },
    {
      name: 'text with a code after the part that is read',
      body: `x${' '.repeat(ERROR_BODY_BYTES)}error code: 1015`,
      is: { ...none, message: 'x', isJson: false },
    },
    {
      name: 'words without a code',
      body: '{"status":{"message":"slow down"}}',
      is: { ...none, message: 'slow down' },
    },
    { name: 'an error that is no text', body: '{"error":7}', is: none },
    { name: 'an empty body', body: '', is: { ...none, isJson: false } },
    { name: 'an empty object', body: '{}', is: none },
    { name: 'an array', body: '[]', is: none },
    { name: 'null', body: 'null', is: none },
  ])('$name', ({ body, is }) => {
    expect(readErrorBody(body)).toEqual(is)
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
