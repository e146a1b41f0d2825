import { join } from 'node:path'
import type { Order } from '../../plan/order.ts'
import { orderId } from '../../plan/order-id.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { isS3 } from '../../stage/s3-files.ts'
import { sharedFiles } from '../../stage/shared-files.ts'
import { writeStateFile } from '../state-file.ts'

/**
 * Writes an order into a file named by its hash, and returns the hash. Workflows have only the hash: an order may name
 * thousands of coins.
 *
 * @throws SinkError ORDER_NOT_WRITTEN for a folder; StageError for a bucket, which may be retried
 */
export async function writeOrder(dir: string, order: Order): Promise<string> {
  const id = orderId(order)
  if (isS3(dir)) await sharedFiles(dir).write(`${id}.json`, JSON.stringify(order))
  else await writeStateFile(join(dir, `${id}.json`), order, 'ORDER_NOT_WRITTEN')
  return id
}

/** @throws SinkError ORDER_LOST when the file is missing or does not match its hash. */
export async function readOrder(dir: string, id: string): Promise<Order> {
  const name = `${id}.json`
  let order: Order | null = null
  let cause: unknown
  try {
    const text = await sharedFiles(dir).read(name)
    order = text === null ? null : (JSON.parse(text.toString('utf8')) as Order)
  } catch (error) {
    cause = error
  }
  if (order === null || orderId(order) !== id) {
    throw new SinkError(`the order of this run cannot be read: ${dir}/${name}`, {
      code: 'ORDER_LOST',
      hint: 'For a schedule run `coinlake schedule apply`; for a run by hand `coinlake cancel`, then the backfill again.',
      cause,
    })
  }
  return order
}
