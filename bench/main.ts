// npm run bench: the list; npm run bench <name>: runs it.
import { benchmarks } from './benchmarks.ts'
import { runBench } from './run-bench.ts'

process.exitCode = await runBench(process.argv.slice(2), benchmarks, {
  print: (line) => void process.stdout.write(`${line}\n`),
  printError: (line) => void process.stderr.write(`${line}\n`),
  env: process.env,
})
