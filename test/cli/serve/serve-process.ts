import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const bin = fileURLToPath(new URL('../../../bin/coinlake.js', import.meta.url))

/** `coinlake serve` as a process of its own. */
export interface Serving {
  url: string
  get(path: string, key?: string): Promise<Response>
  /** Ctrl-C: what the process ended with and said. */
  stop(): Promise<{ code: number | null; stdout: string; stderr: string }>
}

/** Starts one on a free port, until the test ends. */
export async function serve(
  argv: readonly string[],
  env: Record<string, string> = {},
): Promise<Serving> {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0', ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()))
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()))
  const exited = once(child, 'exit') as Promise<[number | null]>
  await Promise.race([once(child.stdout, 'data'), exited])
  const url = stdout.trim()
  if (url === '') throw new Error(`serve did not start: ${stderr}`)
  return {
    url,
    get: (path, key) =>
      fetch(
        `${url}${path}`,
        key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } },
      ),
    stop: async () => {
      child.kill('SIGINT')
      const [code] = await exited
      return { code, stdout, stderr }
    },
  }
}
