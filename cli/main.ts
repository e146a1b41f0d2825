import { processEffects } from './effects.ts'
import { printError } from './print-error.ts'
import { runCli } from './program.ts'

// A reader that has gone (`| head`) ends nobody's work: what is left to say is said to nobody.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

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
