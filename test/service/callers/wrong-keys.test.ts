import { expect, test } from 'vitest'
import { createKeyRing } from '../../../service/callers/key-ring.ts'
import type { RequestEntry } from '../../../service/request-log.ts'
import {
  createWrongKeys,
  FREE_WRONG_KEYS,
  WRONG_KEY_WAIT_MS,
} from '../../../service/callers/wrong-keys.ts'
import { serveEcho } from '../echo-service.ts'

let nowMs = 0
const clock = { nowMs: () => nowMs }

test('after five wrong keys of an address each answer waits; a minute without one, and it begins anew', async () => {
  const waits: number[] = []
  const told: string[] = []
  const wrongKeys = createWrongKeys(
    clock,
    (address, count) => told.push(`${address} ${count}`),
    async (ms) => waits.push(ms),
  )
  for (let sent = 0; sent < 11; sent++) expect(await wrongKeys.note('a')).toBe(true)
  expect(waits).toEqual(Array(11 - FREE_WRONG_KEYS).fill(WRONG_KEY_WAIT_MS))
  await wrongKeys.note('b')
  expect(told).toEqual(['a 1', 'a 10', 'b 1'])
  nowMs += 60_000
  await wrongKeys.note('a')
  expect(waits).toHaveLength(11 - FREE_WRONG_KEYS)
  expect(told.at(-1)).toBe('a 1')
})

test('a hundred wait at most, and those beyond come again', async () => {
  const held = Promise.withResolvers<void>()
  const wrongKeys = createWrongKeys(
    clock,
    () => undefined,
    () => held.promise,
  )
  const sent = Array.from({ length: FREE_WRONG_KEYS + 103 }, () => wrongKeys.note('c'))
  expect(await Promise.all(sent.slice(-3))).toEqual([false, false, false])
  held.resolve()
  expect((await Promise.all(sent)).filter((isAnswered) => isAnswered)).toHaveLength(105)
  expect(await wrongKeys.note('c')).toBe(true)
})

test('over a socket: 401 comes late, its sender is told of, and a right key is answered meanwhile', async () => {
  const told: [string, number][] = []
  const onWrongKeys = (...one: [string, number]): void => void told.push(one)
  const logged: RequestEntry[] = []
  const log = (entry: RequestEntry): void => void logged.push(entry)
  const url = await serveEcho({ keys: createKeyRing(['right']), onWrongKeys, log })
  const status = async (key?: string): Promise<number> => {
    const headers: Record<string, string> =
      key === undefined ? {} : { authorization: `Bearer ${key}` }
    return (await fetch(`${url}/v2/ping`, { headers })).status
  }
  for (let sent = 0; sent < FREE_WRONG_KEYS; sent++) expect(await status('wrong')).toBe(401)
  const beganMs = performance.now()
  const late = status('wrong')
  expect([await status('right'), await status()]).toEqual([200, 401])
  expect(await late).toBe(401)
  expect(performance.now() - beganMs).toBeGreaterThanOrEqual(WRONG_KEY_WAIT_MS - 5)
  expect(told).toEqual([['127.0.0.1', 1]])
  expect(logged.filter(({ from }) => from === '127.0.0.1')).toHaveLength(FREE_WRONG_KEYS + 1)
  expect(JSON.stringify([told, logged])).not.toMatch(/wrong|right/)
})
