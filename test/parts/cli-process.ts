import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('../../bin/coinlake.js', import.meta.url))

/** How a process ended, and all it has printed. */
export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** `coinlake` as a process of its own. */
export interface CliProcess {
  pid: number
  ended: Promise<Ended>
  isRunning(): boolean
  kill(signal: NodeJS.Signals): void
  /** Waits until stderr holds the text; throws when the process ends before. */
  says(text: string): Promise<void>
}

export interface ProcessOptions {
  cwd: string
  env: Readonly<Record<string, string>>
  /** Another build's `bin/coinlake.js`. */
  program?: string
}

/** Starts `coinlake` with nothing of this process's environment but what finds its caches. */
export function startCli(words: readonly string[], options: ProcessOptions): CliProcess {
  const child: ChildProcess = spawn(process.execPath, [options.program ?? CLI, ...words], {
    cwd: options.cwd,
    env: { ...cacheEnv(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = { stdout: '', stderr: '' }
  const listeners = new Set<() => void>()
  child.stdout?.on('data', (chunk) => (printed.stdout += String(chunk)))
  child.stderr?.on('data', (chunk) => {
    printed.stderr += String(chunk)
    for (const listener of listeners) listener()
  })
  let running = true
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      running = false
      for (const listener of listeners) listener()
      resolve({ code, signal, ...printed })
    })
  })
  return {
    pid: child.pid ?? 0,
    ended,
    isRunning: () => running,
    kill: (signal) => void child.kill(signal),
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (printed.stderr.includes(text)) resolve()
          else if (!running) reject(new Error(`ended without ${text}: ${printed.stderr}`))
          else return
          listeners.delete(look)
        }
        listeners.add(look)
        look()
      }),
  }
}

/** The part of this process's environment by which a command finds its caches. */
export function cacheEnv(): Record<string, string> {
  const names = ['HOME', 'PATH', 'XDG_CACHE_HOME', 'COINLAKE_TEMPORAL_BINARY']
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}
