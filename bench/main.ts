// npm run bench: the list; npm run bench <name>: runs it.
import { benchmarks } from './benchmarks.ts'
import { runBench } from './run-bench.ts'

process.exitCode = await runBench(process.argv.slice(2), benchmarks, {
  // These writes survive a closed pipe: `| head` does not end a measurement.
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
  env: process.env,
})
