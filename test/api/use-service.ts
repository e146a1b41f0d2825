import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import {
  createSourceClient,
  type SourceClient,
  type SourceClientOptions,
} from '../../api/client.ts'
import { SourceError } from '../../api/errors.ts'
import { operations } from '../../api/operations.ts'
import { createPacer } from '../../api/pacer.ts'
import { Secret } from '../../config/values/secret.ts'
import { ScriptedServer } from './scripted-server.ts'
import { CLIENT_SETTINGS } from '../parts/client-settings.ts'

export const KEY = 'CG-very-secret/1'
export const MINUTE_MS = 60_000
export const CHART = operations['coins/{id}/market_chart']
export const CHART_PARAMS = { id: 'bitcoin', vs_currency: 'usd', days: '1' }
export const CHART_BODY =
  '{"prices":[[1,0.1],[2,9.04766669820536e-07]],"market_caps":[],"total_volumes":[]}'

/** One scripted server for the tests of a file, and clients of it that are closed after each test. */
export function useService() {
  const clients: SourceClient[] = []
  let started: ScriptedServer | null = null
  const running = (): ScriptedServer => {
    if (started === null) return expect.fail('the server runs only inside tests')
    return started
  }
  beforeAll(async () => {
    started = await ScriptedServer.start()
  })
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()))
  })
  afterAll(() => running().close())

  return {
    get server(): ScriptedServer {
      return running()
    },
    connect: (options: Partial<SourceClientOptions> = {}): SourceClient => {
      const client = createSourceClient({
        rootUrl: running().rootUrl,
        auth: { header: 'authorization', template: 'Bearer {key}', key: new Secret(KEY) },
        pacer: createPacer({ rate: null }),
        ...CLIENT_SETTINGS,
        ...options,
      })
      clients.push(client)
      return client
    },
  }
}

/** The source error a promise ends in; anything else fails the test. */
export async function failure(promise: Promise<unknown>): Promise<SourceError> {
  const error: unknown = await promise.then(
    (value) => expect.fail(`no error but ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(SourceError)
  return error as SourceError
}
