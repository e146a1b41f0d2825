import { onTestFinished } from 'vitest'
import {
  createSourceClient,
  type SourceClient,
  type SourceClientOptions,
} from '../../api/client.ts'
import { createPacer } from '../../api/pacer.ts'

/** The settings of a client in a test, beside its address, key and pacer. */
export const CLIENT_SETTINGS = {
  version: '0.1.0',
  timeoutMs: 5_000,
  concurrency: 8,
  maxBodyBytes: 64 * 1024 * 1024,
  caFile: null,
  env: {},
}

/** A client of a service without a key or a rate, closed after the test. */
export function openClient(url: string, more: Partial<SourceClientOptions> = {}): SourceClient {
  const client = createSourceClient({
    rootUrl: `${url}/v2`,
    auth: null,
    pacer: createPacer({ rate: null }),
    ...CLIENT_SETTINGS,
    ...more,
  })
  onTestFinished(() => client.close())
  return client
}
