import { EXIT } from '../config/coinlake-error.ts'
import { processEffects, type Effects } from './effects.ts'
import { printError } from './print-error.ts'
import { runCli } from './program.ts'

/** Effects that ignore the environment, for errors of the environment itself. */
const plainEffects: Effects = {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
  clock: { nowMs: () => Date.now() },
  isLive: false,
  isTerminal: false,
}

// A closed pipe (`head`) ends no work; the rest of the output is dropped. A full disk behind `>` is a failure, reported
// after the command.
let stdoutFault: Error | null = null
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') stdoutFault ??= error
})
process.stderr.on('error', () => undefined)

try {
  process.exitCode = await runCli(processEffects(), process.argv.slice(2))
  // The stream reports its failure a moment after the write.
  await new Promise((resolve) => setImmediate(resolve))
  if (stdoutFault !== null && process.exitCode !== EXIT.sink) {
    const { notWritableError } = await import('./query/output.ts')
    process.exitCode = printError(
      plainEffects,
      notWritableError('standard output', stdoutFault),
      process.argv,
    )
  }
} catch (error) {
  process.exitCode = printError(plainEffects, error, process.argv)
}
