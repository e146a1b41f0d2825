import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'

/** A process that does the same again and again until its input ends, and then prints a report. */
export interface Loop<Report> {
  child: ChildProcessWithoutNullStreams
  /** Resolves when the process has printed its first line, or has ended. */
  atWork: Promise<void>
  /** The lines that it has printed: delta_reader.py prints one a look. */
  lines(): number
  /** Lets it go round once more; gives its report. */
  finish(): Promise<Report>
}

/** Starts a command that is to print lines, and a JSON object at its end. */
export function startLoop<Report>(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Loop<Report> {
  const child = spawn(command, args, { env: { ...process.env, ...env } })
  let [out, err] = ['', '']
  child.stderr.on('data', (part: Buffer) => (err += part.toString()))
  const looked = new Promise<void>((resolve) => {
    child.stdout.on('data', (part: Buffer) => {
      out += part.toString()
      if (out.includes('\n')) resolve()
    })
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const failed = () => new Error(`${args.join(' ')}: ${err}${out}`)
  return {
    child,
    atWork: Promise.race([looked, ended]),
    lines() {
      if (child.exitCode !== null) throw failed()
      return out.split('\n').length - 1
    },
    async finish() {
      child.stdin.end()
      await ended
      // polars also prints the errors that it raises to stdout, so the report is looked for behind them.
      if (!out.includes('{')) throw failed()
      return JSON.parse(out.slice(out.indexOf('{'))) as Report
    },
  }
}
