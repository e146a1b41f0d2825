import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** Another process that has a DuckDB file open. */
export interface Holder {
  pid: number
  command: string
  /** Lets go of the file; the end of the test does so, too. */
  release(): Promise<void>
}

/** Has another process hold a DuckDB file open, as a reader of the store would. */
export async function holdFile(file: string): Promise<Holder> {
  const script = fileURLToPath(new URL('hold-file.child.ts', import.meta.url))
  const holder = spawn(process.execPath, [script, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(holder, 'close')
  const release = async (): Promise<void> => {
    holder.stdin.end()
    await ended
  }
  onTestFinished(release)
  await once(holder.stdout, 'data')
  return { pid: holder.pid!, command: `${process.execPath} ${script} ${file}`, release }
}
