import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { pythonWith } from '../../../bench/python-venv.ts'

/** The engines that read: deltalake and polars, or Spark, whose jars come from Maven Central. */
const PACKAGES = {
  python: ['deltalake==1.6.6', 'polars==2.1.0', 'pyarrow==26.0.1', 'pandas==3.1.1'],
  spark: ['pyspark==4.1.1', 'delta-spark==4.3.1', 'pyarrow==26.0.1', 'pandas==3.1.1'],
}
const SCRIPT = fileURLToPath(new URL('delta_reader.py', import.meta.url))

export type DeltaEngine = keyof typeof PACKAGES

/** The report of a reader at its end. */
export interface DeltaReport {
  reads: number
  errors: string[]
  partial: unknown[]
  /** Numbers of sets in the order in which they were first seen. */
  sets: number[]
}

/** The readers of an engine in a process of its own. */
export interface DeltaReader {
  /** How often it has looked. */
  looks(): number
  finish(): Promise<DeltaReport>
}

/** Why what an engine needs cannot be had; null when it is there. */
export function noDeltaReader(engine: DeltaEngine): string | null {
  if (engine === 'spark' && spawnSync('java', ['-version']).status !== 0) return 'there is no Java'
  const made = pythonWith(PACKAGES[engine], process.env)
  return typeof made === 'string' ? made : null
}

function deltaPython(engine: DeltaEngine): string {
  const made = pythonWith(PACKAGES[engine], process.env)
  if (typeof made === 'string') throw new Error(made)
  return made.python
}

/** Runs some Python over what is there; gives what it printed. */
export function askDelta(script: string, ...args: readonly string[]): string {
  return runPython('python', ['-c', script, ...args])
}

/** Has Spark remove the files that its rules call old; its log gets a commit that says so. */
export function vacuumBySpark(place: string): void {
  runPython('spark', [SCRIPT, place, 'spark', 'vacuum'])
}

function runPython(engine: DeltaEngine, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(deltaPython(engine), args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}

/** Starts delta_reader.py. @param place `s3://bucket/prefix`, or a folder */
export function startDeltaReader(
  place: string,
  env: Record<string, string> = {},
  engine: DeltaEngine = 'python',
): DeltaReader {
  const child = spawn(deltaPython(engine), [SCRIPT, place, engine], {
    env: { ...process.env, ...env },
  })
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
