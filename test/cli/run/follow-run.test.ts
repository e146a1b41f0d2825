import { randomUUID } from 'node:crypto'
import { ServiceError, type WorkflowHandle } from '@temporalio/client'
import { expect, test } from 'vitest'
import { followRun } from '../../../cli/run/follow-run.ts'
import type { exportWarehouse } from '../../../workflows/export-warehouse.ts'
import { temporalClient } from '../../parts/temporal-client.ts'

test('a run that no worker works on is told, and waited for until it ends', async () => {
  const client = await temporalClient()
  const name = `follow-run-${randomUUID()}`
  const handle = await client.workflow.start<typeof exportWarehouse>('exportWarehouse', {
    workflowId: name,
    taskQueue: name,
    args: [] as never,
  })
  let told: () => void = () => undefined
  const isTold = new Promise<void>((resolve) => (told = resolve))
  const following = followRun(
    handle,
    (sign, progress) => {
      expect(progress).toBeNull()
      if (sign === 'silent') told()
    },
    new AbortController().signal,
  )
  await isTold
  // Looked at first: the run may be known to have ended before the order to end it is answered.
  const ended = expect(following).rejects.toMatchObject({ code: 'RUN_LOST', exitCode: 1 })
  await handle.terminate('the test is over')
  await ended
})

test('a call that fails while the server is away does not end the following', async () => {
  const report = { runId: 'r1', verdict: 'complete' }
  const unavailable = Object.assign(new Error('14 UNAVAILABLE'), {
    code: 14,
    details: 'connection dropped',
    metadata: {},
  })
  let calls = 0
  const within = (_: unknown, call: () => Promise<unknown>): Promise<unknown> => call()
  const signals: AbortSignal[] = []
  const withAbortSignal = (signal: AbortSignal, call: () => Promise<unknown>) => {
    signals.push(signal)
    return call()
  }
  const handle = {
    client: { withAbortSignal, withDeadline: within },
    describe: () => Promise.reject(unavailable),
    result: async () => {
      calls += 1
      if (calls === 1) throw new ServiceError('Failed to get history', { cause: unavailable })
      return report
    },
  }
  const followed = await followRun(
    handle as unknown as WorkflowHandle<typeof exportWarehouse>,
    (sign, progress) => expect([sign, progress]).toEqual(['silent', null]),
    new AbortController().signal,
  )
  expect(followed).toBe(report)
  expect(calls).toBe(2)
  // The client adds a listener to the signal of each call, and leaves it there with the call.
  expect(new Set(signals).size).toBe(signals.length)
})
