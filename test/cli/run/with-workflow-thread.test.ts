import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadCliConfig } from '../../../cli/run/load-cli-config.ts'
import { withWorkflowThread } from '../../../cli/run/with-workflow-thread.ts'
import { processEffects } from '../../../cli/effects.ts'
import { tempDir } from '../../parts/temp-dir.ts'

const CONFIG = `source: { base_url: "http://127.0.0.1:9" }\ndatasets: { coins: {} }\n`

test('a thread ends with the modules that cannot be loaded beside it', async () => {
  const cwd = tempDir()
  await writeFile(join(cwd, 'coinlake.yaml'), CONFIG)
  const effects = { ...processEffects(), cwd, env: {} }
  const started = once(process, 'worker') as Promise<[Worker]>
  let hasEnded = false
  const running = withWorkflowThread(effects, loadCliConfig(effects, {}), async () => {
    const [thread] = await started
    thread.once('exit', () => (hasEnded = true))
    throw new Error('no such module')
  })
  await expect(running).rejects.toThrow('no such module')
  expect(hasEnded).toBe(true)
})
