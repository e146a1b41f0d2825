import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { pythonWith } from '../../../bench/python-venv.ts'
import { type Loop, startLoop } from './start-loop.ts'

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

/** Why what an engine needs cannot be had; null when it is there. */
export function noDeltaReader(engine: DeltaEngine): string | null {
  if (engine === 'spark' && spawnSync('java', ['-version']).status !== 0) return 'there is no Java'
  const made = pythonWith(PACKAGES[engine])
  return typeof made === 'string' ? made : null
}

function deltaPython(engine: DeltaEngine): string {
  const made = pythonWith(PACKAGES[engine])
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
): Loop<DeltaReport> {
  return startLoop(deltaPython(engine), [SCRIPT, place, engine], env)
}
