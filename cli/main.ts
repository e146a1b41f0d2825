import { processEffects } from './effects.ts'
import { printError } from './print-error.ts'
import { runCli } from './program.ts'

try {
  process.exitCode = await runCli(processEffects(), process.argv.slice(2))
} catch (error) {
  process.exitCode = printError(
    {
      stdout: process.stdout,
      stderr: process.stderr,
      stdin: process.stdin,
      env: process.env,
      cwd: process.cwd(),
      clock: { nowMs: () => Date.now() },
      isLive: false,
      isTable: false,
    },
    error,
    process.argv.includes('--debug'),
  )
}
