import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { pythonWith } from '../../../bench/python-venv.ts'

const PYTHON = ['deltalake==1.6.6', 'polars==2.1.0', 'pyarrow==26.0.1', 'pandas==3.1.1']

/** The report of a reader at its end. */
export interface DeltaReport {
  reads: number
  errors: string[]
  partial: unknown[]
  /** Numbers of sets in the order in which they were first seen. */
  sets: number[]
}

/** Readers by deltalake and by polars in a process of its own. */
export interface DeltaReader {
  /** How often it has looked. */
  looks(): number
  finish(): Promise<DeltaReport>
}

/** Why its packages cannot be had; null when they are there. */
export function noDeltaReader(): string | null {
  const made = pythonWith(PYTHON, process.env)
  return typeof made === 'string' ? made : null
}

function deltaPython(): string {
  const made = pythonWith(PYTHON, process.env)
  if (typeof made === 'string') throw new Error(made)
  return made.python
}

/** Runs some Python over what is there; gives what it printed. */
export function askDelta(script: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(deltaPython(), ['-c', script, ...args], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}

/** Starts delta_reader.py. @param place `s3://bucket/prefix`, or a folder */
export function startDeltaReader(place: string, env: Record<string, string> = {}): DeltaReader {
  const script = fileURLToPath(new URL('delta_reader.py', import.meta.url))
  const child = spawn(deltaPython(), [script, place], { env: { ...process.env, ...env } })
  let [out, err] = ['', '']
  child.stderr.on('data', (part: Buffer) => (err += part.toString()))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.stdout.on('data', (part: Buffer) => (out += part.toString()))
  return {
    looks() {
      if (child.exitCode !== null) throw new Error(`delta_reader.py: ${err}${out}`)
      return out.split('\n').length - 1
    },
    async finish() {
      child.stdin.end()
      await ended
      if (!out.includes('{')) throw new Error(`delta_reader.py: ${err}${out}`)
      return JSON.parse(out.slice(out.indexOf('{'))) as DeltaReport
    },
  }
}
