import { Readable, Writable } from 'node:stream'
import { frozenClock } from '../../config/clock.ts'
import type { Effects } from '../../cli/effects.ts'
import { runCli } from '../../cli/program.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

export interface Captured {
  exitCode: number
  stdout: string
  stderr: string
  bytes: Buffer
}

export interface CaptureOptions extends Partial<Effects> {
  /** The content of standard input. */
  input?: string
}

/** Runs one command line in this process and keeps what it wrote. */
export async function runCaptured(
  argv: readonly string[],
  { input = '', ...effects }: CaptureOptions = {},
): Promise<Captured> {
  const out: Buffer[] = []
  const err: Buffer[] = []
  const before = SIGNALS.map((signal) => process.listeners(signal))
  const exitCode = await runCli(
    {
      stdout: collect(out),
      stderr: collect(err),
      stdin: Readable.from([input]),
      env: {},
      cwd: process.cwd(),
      clock: frozenClock(Date.UTC(2026, 0, 15, 12)),
      isLive: false,
      isTerminal: false,
      ...effects,
    },
    argv,
  )
  // A command listens until its process ends; here the process goes on.
  SIGNALS.forEach((signal, index) => {
    for (const listener of process.listeners(signal)) {
      if (before[index]?.includes(listener) !== true) process.off(signal, listener)
    }
  })
  const bytes = Buffer.concat(out)
  return { exitCode, stdout: bytes.toString(), stderr: Buffer.concat(err).toString(), bytes }
}

function collect(parts: Buffer[]): Writable {
  return new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      parts.push(Buffer.from(chunk))
      done()
    },
  })
}
