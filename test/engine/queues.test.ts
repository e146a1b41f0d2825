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

test('queue names carry the warehouse and the code, and tell any two apart', () => {
  const of = (warehouseId: string, workflowsId: string): string[] =>
    Object.values(queueNames({ warehouseId, workflowsId }))
  expect(of('w1', '0123456789abcdef')).toEqual([
    'coinlake.w1.0123456789ab.workflows',
    'coinlake.w1.0123456789ab.fetch',
    'coinlake.w1.0123456789ab.load',
  ])
  const all = [...of('w1', 'aa'), ...of('w2', 'aa'), ...of('w1', 'bb')]
  expect(new Set(all).size).toBe(9)
})
