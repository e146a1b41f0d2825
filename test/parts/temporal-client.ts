import { Client, Connection } from '@temporalio/client'
import { inject, onTestFinished } from 'vitest'

/** A client of the test run's server, closed after the test; for all tests of a file or group: `temporalClient(afterAll)`. */
export async function temporalClient(
  whenDone: (undo: () => Promise<void>) => void = onTestFinished,
): Promise<Client> {
  const { address, namespace } = inject('temporal')
  const connection = await Connection.connect({ address })
  whenDone(() => connection.close())
  return new Client({ connection, namespace })
}
