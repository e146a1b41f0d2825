import { condition, upsertMemo } from '@temporalio/workflow'
import { PROGRESS_MEMO } from './messages.ts'
import type { RunProgress } from './messages.ts'

/** Keeps the progress of a run in its memo, which the server shows without a worker. Goes on until the run ends. */
export async function tellProgress(progress: () => RunProgress): Promise<never> {
  for (;;) {
    const told = progress()
    const text = JSON.stringify(told)
    upsertMemo({ [PROGRESS_MEMO]: told })
    await condition(() => JSON.stringify(progress()) !== text)
  }
}
