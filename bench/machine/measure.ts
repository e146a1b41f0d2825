import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createSampler, type TreeUse } from './process-sampler.ts'

/** The cost of one run of a command, with all its descendants. */
export interface Measured extends TreeUse {
  exitCode: number | null
  stdout: string
  stderr: string
  /** Epoch ms. */
  startedAtMs: number
  endedAtMs: number
}

export interface MeasureOptions {
  cwd: string
  env: NodeJS.ProcessEnv
  /** Gets the pid as soon as the process runs. */
  onStart?: ((pid: number) => void) | undefined
  /** Time after which the process counts as hanging and is killed. Default: never. */
  limitMs?: number
}

/** Short enough to meet the peak of a sum over processes. The peak of a single process comes from the kernel. */
const SAMPLE_EVERY_MS = 50
/** Reading all of /proc costs 3 ms, so new processes are searched for less often. */
const LOOK_EVERY_SAMPLES = 5

/** Whether processes can be measured here. */
export function canMeasure(): boolean {
  return existsSync('/proc/self/stat')
}

/** Runs a command to its end and measures its whole process tree from /proc (Linux). */
export async function measureTree(
  command: string,
  args: readonly string[],
  options: MeasureOptions,
): Promise<Measured> {
  const startedAtMs = Date.now()
  const child = spawn(command, [...args], {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: options.limitMs,
    killSignal: 'SIGKILL',
  })
  if (child.pid !== undefined) options.onStart?.(child.pid)
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  const sampler = createSampler(child.pid ?? -1, LOOK_EVERY_SAMPLES)
  const timer = setInterval(() => sampler.sample(), SAMPLE_EVERY_MS)
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    const endedAtMs = Date.now()
    return {
      exitCode,
      stdout: Buffer.concat(out).toString('utf8'),
      stderr: Buffer.concat(err).toString('utf8'),
      startedAtMs,
      endedAtMs,
      ...sampler.result(),
    }
  } finally {
    clearInterval(timer)
  }
}
