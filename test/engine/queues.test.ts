import { expect, test } from 'vitest'
import { keyId, queueNames } from '../../engine/queues.ts'

const SECRET = 'sk-0123456789abcdef'

test('a key has one name per service, whatever the path behind the host', () => {
  const name = keyId(SECRET, 'https://api.example.com/v2')
  expect(keyId(SECRET, 'https://API.example.com:443/')).toBe(name)
  expect(name).toMatch(/^[0-9a-f]{12}$/)
})

test.each([
  ['another key', 'sk-other', 'https://api.example.com/v2'],
  ['no key', null, 'https://api.example.com/v2'],
  ['another host', SECRET, 'https://other.example.com/v2'],
  ['another port', SECRET, 'https://api.example.com:8443/v2'],
])('%s has another name', (_, secret, url) => {
  expect(keyId(secret, url)).not.toBe(keyId(SECRET, 'https://api.example.com/v2'))
})

test('queue names carry the ids and never the key', () => {
  const queues = queueNames({ keyId: keyId(SECRET, 'http://127.0.0.1:8400'), warehouseId: 'w1' })
  expect(Object.keys(queues)).toEqual(['workflows', 'control', 'fetch', 'load'])
  expect(queues.load).toBe('coinlake-load.w1')
  expect(JSON.stringify(queues)).not.toContain(SECRET)
  expect(new Set(Object.values(queues)).size).toBe(4)
})
