import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { STORE_LOOK_MS } from '../../../cli/doctor/unread-part.ts'
import type { OpenWarehouse } from '../../../cli/run/open-warehouse.ts'
import { CLAIM_WAIT_MS, takeWarehouse } from '../../../cli/run/take-warehouse.ts'
import { warehousePaths } from '../../../config/warehouse-paths.ts'
import { processIdentity } from '../../../engine/process-identity.ts'
import { SinkError } from '../../../sinks/sink-error.ts'
import { tempDir } from '../../parts/temp-dir.ts'

const held = new SinkError('the store is held', { code: 'STORE_LOCKED', hint: 'Wait.' })
const opened = {} as OpenWarehouse
const running = new AbortController().signal
let dir = ''

beforeEach(async () => {
  dir = tempDir()
})

/** Another process that lives (the one above this) says that it works here. */
async function claim(): Promise<void> {
  const file = join(warehousePaths(dir).stateDir, 'worker.json')
  await mkdir(dirname(file), { recursive: true })
  const identity = processIdentity(process.ppid)
  await writeFile(file, JSON.stringify({ ...identity, workflowsId: 'code' }))
}

test('a warehouse that is free is opened; one at work is left to its process', async () => {
  const open = (): Promise<OpenWarehouse> => Promise.resolve(opened)
  expect(await takeWarehouse(dir, open, running)).toEqual({ warehouse: opened, other: null })
  await claim()
  const left = await takeWarehouse(dir, () => Promise.reject(held), running)
  expect(left).toMatchObject({ warehouse: null, other: { pid: process.ppid, workflowsId: 'code' } })
})

test('a process that holds the store and says a moment later that it works there', async () => {
  let tries = 0
  const open = async (): Promise<OpenWarehouse> => {
    tries += 1
    if (tries === 2) await claim()
    throw held
  }
  expect(await takeWarehouse(dir, open, running)).toMatchObject({ other: { pid: process.ppid } })
  expect(tries).toBe(2)
})

test('a doctor that reads the store is done with it long before a run gives up', () => {
  expect(STORE_LOOK_MS).toBeLessThanOrEqual(CLAIM_WAIT_MS / 2)
})

test.each(['STORE_LOCKED', 'WAREHOUSE_HELD'])('a process that is at its end: %s', async (code) => {
  let tries = 0
  const open = async (): Promise<OpenWarehouse> => {
    tries += 1
    if (tries < 3) throw new SinkError('it is held', { code, hint: 'Wait.' })
    return opened
  }
  expect(await takeWarehouse(dir, open, running)).toEqual({ warehouse: opened, other: null })
})

test('every other fault at once; and an end that is asked for meanwhile', async () => {
  const spoilt = new SinkError('no sound file', { code: 'STORE_NOT_DUCKDB', hint: 'Move it.' })
  let tries = 0
  const failing = (): Promise<OpenWarehouse> => {
    tries += 1
    return Promise.reject(spoilt)
  }
  await expect(takeWarehouse(dir, failing, running)).rejects.toBe(spoilt)
  expect(tries).toBe(1)
  const ending = new AbortController()
  const reason = new Error('interrupted')
  const taking = takeWarehouse(dir, () => Promise.reject(held), ending.signal)
  ending.abort(reason)
  await expect(taking).rejects.toBe(reason)
})
