import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Order } from '../plan/order.ts'
import { orderId } from '../plan/order-id.ts'
import { SinkError } from '../sinks/sink-error.ts'

/**
 * Keeps an order beside the warehouse under its own hash, and returns the hash. Workflows carry only
 * the hash: an order may name thousands of coins, and a history is no place for them.
 */
export async function writeOrder(dir: string, order: Order): Promise<string> {
  const id = orderId(order)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const file = join(dir, `${id}.json`)
  await writeFile(`${file}.${process.pid}.tmp`, JSON.stringify(order, null, 2), { mode: 0o600 })
  await rename(`${file}.${process.pid}.tmp`, file)
  return id
}

/** @throws SinkError ORDER_LOST when the file is gone or is not what its name says. */
export async function readOrder(dir: string, id: string): Promise<Order> {
  const file = join(dir, `${id}.json`)
  const order = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Order,
    () => null,
  )
  if (order === null || orderId(order) !== id) {
    throw new SinkError(`the order of this run cannot be read: ${file}`, {
      code: 'ORDER_LOST',
      hint: 'Run `coinlake cancel`, then the backfill again: it plans from the ledger.',
    })
  }
  return order
}
