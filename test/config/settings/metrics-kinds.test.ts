import { expect, test } from 'vitest'
import { bindAddress, collector } from '../../../config/settings/metrics-kinds.ts'

const GIVEN = { by: 'file', dir: '.', env: {} } as const

test.each([
  ['9464', '127.0.0.1', 9464],
  ['1', '127.0.0.1', 1],
  ['65535', '127.0.0.1', 65_535],
  ['localhost:9464', '127.0.0.1', 9464],
  ['0.0.0.0:9464', '0.0.0.0', 9464],
  ['[::1]:9464', '[::1]', 9464],
  ['::1:9464', '[::1]', 9464],
])('metrics listen on %s', (text, host, port) => {
  const address = bindAddress.parse(text, GIVEN)
  expect(address).toEqual({ kind: 'prometheus', host, port })
  expect(bindAddress.show(address)).toBe(`${host}:${port}`)
})

test.each([
  ['0'],
  ['65536'],
  ['123456'],
  ['9464x'],
  ['x9464'],
  ['example.org:9464'],
  ['127.0.0.1'],
  ['127.0.0.1:'],
  ['x[::1]:9464'],
  ['[::1]x:9464'],
])('metrics do not listen on %j', (text) => {
  expect(() => bindAddress.parse(text, GIVEN)).toThrow('is no address to listen on')
})

test.each([
  ['http://127.0.0.1:4318/v1/metrics', true],
  ['https://collector.example/v1/metrics', true],
  ['ftp://collector.example/v1/metrics', false],
  ['https://user@collector.example', false],
  ['https://:word@collector.example', false],
  ['https://user:word@collector.example', false],
  ['collector.example', false],
])('metrics are sent to %s: %s', (text, isTaken) => {
  const parse = () => collector.parse(text, GIVEN)
  if (isTaken) expect(parse()).toEqual({ kind: 'otlp', url: text })
  else expect(parse).toThrow('is no web address, or names a user')
})
