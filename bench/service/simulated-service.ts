import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { PresetName } from '../../service/market/market-spec.ts'
import { BIN } from '../own-engine.ts'

/** A simulated market served by a process of its own, on a free port. */
export interface SimulatedService {
  url: string
  pid: number
  stop(): Promise<void>
}

const START_TIMEOUT_MS = 300_000

/** Starts `coinlake serve --simulate`, and waits until it answers. No key, no quota; the data stand at one moment. */
export async function startSimulated(preset: PresetName): Promise<SimulatedService> {
  const args = ['serve', '--simulate', '--preset', preset, '--clock', 'frozen', '--port', '0']
  const service = spawn(process.execPath, [BIN, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  const stop = async (): Promise<void> => {
    service.kill('SIGTERM')
    if (service.exitCode === null) await once(service, 'exit')
  }
  try {
    // The service's first line has the address.
    const signal = AbortSignal.timeout(START_TIMEOUT_MS)
    const [url] = (await once(createInterface(service.stdout), 'line', { signal })) as [string]
    return { url, pid: service.pid ?? 0, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
