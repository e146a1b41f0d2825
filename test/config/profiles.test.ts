import { expect, test } from 'vitest'
import { apiRootUrl, isLoopbackHost, parseBaseUrl } from '../../config/base-url.ts'
import { profiles, type ProfileName } from '../../config/profiles.ts'

test.each<[ProfileName, string, string]>([
  ['interface', 'http://127.0.0.1:8400', 'http://127.0.0.1:8400/v2'],
  ['interface', 'http://127.0.0.1:8400/v2', 'http://127.0.0.1:8400/v2'],
  ['interface', 'http://[::1]:8400/v2/', 'http://[::1]:8400/v2'],
  ['interface', 'https://API.example/market//', 'https://api.example/market/v2'],
  ['interface', 'https://api.example/market/v2/', 'https://api.example/market/v2'],
  ['coingecko-demo', 'https://api.coingecko.com/api/v3', 'https://api.coingecko.com/api/v3'],
  ['coingecko-demo', 'http://localhost:1', 'http://localhost:1/api/v3'],
])('%s at %s is asked at %s', (name, text, root) => {
  const profile = profiles[name]
  expect(apiRootUrl({ profile, baseUrl: parseBaseUrl(text, profile) })).toBe(root)
})

test.each([
  ['localhost', true],
  ['market.localhost', true],
  ['127.0.0.1', true],
  ['127.10.20.30', true],
  ['[::1]', true],
  ['127.0.0.1.example', false],
  ['localhost.example', false],
  ['10.0.0.1', false],
  ['0.0.0.0', false],
])('%s is this machine: %s', (host, isLoopback) => {
  expect(isLoopbackHost(host)).toBe(isLoopback)
})

test.each([
  ['https://me@api.example', 'holds a user or password: "https://...@api.example"'],
  ['https://:pw@api.example', 'holds a user or password: "https://...@api.example"'],
  ['https://api.example/v2?key=abc@pw', 'has a query or fragment: "..."'],
  ['user:pw@api.example/v2', ': "..."'],
  ['https://api.example?key=1', 'has a query or fragment'],
  ['https://api.example#there', 'has a query or fragment'],
  ['http://api.example', 'would send the key unencrypted'],
  ['ftp://api.example', 'is not a web address'],
])('the address %s %s', (text, what) => {
  expect(() => parseBaseUrl(text, profiles.interface)).toThrow(what)
})
