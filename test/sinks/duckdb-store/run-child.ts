import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('load-child.ts', import.meta.url))

export interface ChildEnd {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
}

/**
 * Runs load-child.ts to its end. `fileBlocks` limits the size of any file it writes, in blocks of
 * 512 bytes: what a full disk does to a write, without filling one.
 */
export async function runChild(
  file: string,
  size: { slices: number; rows: number },
  limits: { env?: Record<string, string>; fileBlocks?: number } = {},
): Promise<ChildEnd> {
  const args = [process.execPath, SCRIPT, file, String(size.slices), String(size.rows)]
  const limit = limits.fileBlocks === undefined ? '' : `ulimit -f ${limits.fileBlocks}; `
  const child = spawn('sh', ['-c', `${limit}exec "$@"`, 'sh', ...args], {
    env: { ...process.env, ...limits.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let stdout = ''
  child.stdout.on('data', (data) => {
    stdout += String(data)
  })
  return await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      resolve({ code, signal, stdout })
    })
  })
}
