import { readdirSync, readFileSync } from 'node:fs'
import { parseProcessStat, processCpuS, processStat } from './proc-stat.ts'

/** The task of a thread of coinlake's worker. */
export type ThreadGroup =
  | 'main thread'
  | 'libuv pool'
  | 'DuckDB'
  | 'V8'
  | 'worker threads'
  | 'Temporal native'
  | 'other'

/** A thread as the kernel shows it. */
export interface ThreadUse {
  tid: number
  /** At most 15 letters. */
  name: string
  cpuS: number
}

/** Thread names of Node, Rust's runtime and Temporal's core. */
const NAMED: readonly [RegExp, ThreadGroup][] = [
  [/^(V8Worker|DelayedTask|SignalInspector)/, 'V8'],
  [/^WorkerThread/, 'worker threads'],
  [/^(tokio|temporal|workflow)/, 'Temporal native'],
]
const LIBUV = 'libuv-worker'
/** Default of libuv, without UV_THREADPOOL_SIZE. */
const DEFAULT_POOL = 4
const SAMPLE_EVERY_MS = 100

/**
 * CPU seconds by group. DuckDB's threads have the name of libuv's pool, which starts them. So those beyond the pool's
 * size are DuckDB's. The pool itself does files, zstd, and the calling thread of DuckDB's statements.
 *
 * @param pid its first thread is the main thread
 * @param wholeCpuS CPU seconds of the process; the part of ended threads counts as `other`
 */
export function groupThreads(
  threads: readonly ThreadUse[],
  pid: number,
  poolSize: number,
  wholeCpuS: number,
): Map<ThreadGroup, number> {
  const groups = new Map<ThreadGroup, number>()
  let pooled = 0
  for (const { tid, name, cpuS } of threads.toSorted((a, b) => a.tid - b.tid)) {
    const groupOf = (): ThreadGroup => {
      if (tid === pid) return 'main thread'
      if (name !== LIBUV) return NAMED.find(([pattern]) => pattern.test(name))?.[1] ?? 'other'
      pooled += 1
      return pooled <= poolSize ? 'libuv pool' : 'DuckDB'
    }
    const group = groupOf()
    groups.set(group, (groups.get(group) ?? 0) + cpuS)
  }
  const seen = [...groups.values()].reduce((sum, cpuS) => sum + cpuS, 0)
  return groups.set('other', (groups.get('other') ?? 0) + Math.max(0, wholeCpuS - seen))
}

/** Follows the threads of a process (Linux) until the returned function is called. */
export function watchThreads(pid: number): () => Map<ThreadGroup, number> {
  const threads = new Map<number, ThreadUse>()
  let poolSize = DEFAULT_POOL
  let wholeCpuS = 0
  const sample = (): void => {
    const whole = processStat(pid)
    if (whole === null) return
    wholeCpuS = Math.max(wholeCpuS, processCpuS(whole))
    poolSize = poolSizeOf(pid) ?? poolSize
    for (const use of threadsOf(pid)) threads.set(use.tid, use)
  }
  const timer = setInterval(sample, SAMPLE_EVERY_MS)
  return () => {
    clearInterval(timer)
    sample()
    return groupThreads([...threads.values()], pid, poolSize, wholeCpuS)
  }
}

function threadsOf(pid: number): ThreadUse[] {
  return readable(() => readdirSync(`/proc/${pid}/task`), []).flatMap((tid) => {
    const text = readable(() => readFileSync(`/proc/${pid}/task/${tid}/stat`, 'utf8'), '')
    const stat = parseProcessStat(text)
    if (stat === null) return []
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
    return [{ tid: Number(tid), name, cpuS: processCpuS(stat) }]
  })
}

/** The process's own UV_THREADPOOL_SIZE, which bin/coinlake.js sets. */
function poolSizeOf(pid: number): number | null {
  const environ = readable(() => readFileSync(`/proc/${pid}/environ`, 'utf8'), '')
  const text = /(?:^|\0)UV_THREADPOOL_SIZE=(\d+)/.exec(environ)?.[1]
  return text === undefined ? null : Number(text)
}

/** Reads from /proc; `otherwise` when the thread or process has ended. */
function readable<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}
