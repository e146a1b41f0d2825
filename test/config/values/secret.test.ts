import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { redact } from '../../../config/values/redact.ts'
import { Secret } from '../../../config/values/secret.ts'

const value = 'CG-top/secret+"quoted"'
const secret = new Secret(value)

test.each([
  ['template text', `key ${String(secret)}`],
  ['JSON', JSON.stringify({ key: secret })],
  ['inspection', inspect({ deep: { key: secret } }, { showHidden: true, depth: 9 })],
])('%s does not show a secret', (_, text) => {
  expect(text).toContain('[secret]')
  expect(text).not.toContain('top')
})

test('reveal gives the value', () => {
  expect(secret.reveal()).toBe(value)
})

test.each([
  ['plain', value],
  ['URL-encoded', encodeURIComponent(value)],
  ['in JSON', JSON.stringify({ authorization: `Bearer ${value}` })],
  ['Base64', Buffer.from(value).toString('base64')],
])('redact finds the secret %s', (_, text) => {
  const shown = redact(`before ${text} between ${text} after`, secret)
  expect(shown).not.toMatch(/top|Q0ctdG9w/)
  expect(shown.match(/\[secret\]/g)).toHaveLength(2)
})

test.each([null, new Secret('')])('redact without a secret changes nothing', (none) => {
  expect(redact('a text', none)).toBe('a text')
})
