import { systemClock } from '../config/clock.ts'
import { EXIT, type ExitCode } from '../config/coinlake-error.ts'
import { processEffects } from './effects.ts'
import { printError } from './print-error.ts'
import { runCli } from './program.ts'

// A closed pipe (`head`) ends no work; the rest of the output is dropped. A full disk behind `>` is a failure, reported
// after the command.
let stdoutFault: Error | null = null
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') stdoutFault ??= error
})
process.stderr.on('error', () => undefined)

/** Prints an error. The system's clock serves, because COINLAKE_NOW may be the fault. */
function fail(error: unknown): ExitCode {
  return printError(processEffects(systemClock), error, process.argv)
}

try {
  process.exitCode = await runCli(processEffects(), process.argv.slice(2))
  // The stream reports its failure a moment after the write.
  await new Promise((resolve) => setImmediate(resolve))
  if (stdoutFault !== null && process.exitCode !== EXIT.sink) {
    const { notWritableError } = await import('./query/output.ts')
    process.exitCode = fail(notWritableError('standard output', stdoutFault))
  }
} catch (error) {
  process.exitCode = fail(error)
}
