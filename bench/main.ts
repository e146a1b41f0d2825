import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { budget } from './budget.ts'
import { chaos } from './chaos.ts'
import { crash } from './crash.ts'
import { full } from './full.ts'
import { canMeasure } from './measure.ts'
import { publish } from './publish.ts'
import { query } from './query.ts'
import { replay } from './replay.ts'
import { serve } from './serve.ts'
import { slices } from './slices.ts'
import { split } from './split.ts'
import { w2 } from './w2.ts'

const benchmarks: Record<string, (folder: string, print: (line: string) => void) => Promise<void>> =
  { budget, chaos, crash, full, publish, query, replay, serve, slices, split, w2 }

const USAGE_EXIT_CODE = 2

async function main(name: string | undefined): Promise<void> {
  const benchmark = benchmarks[name ?? '']
  if (benchmark === undefined) {
    const known = Object.keys(benchmarks).join(', ')
    process.stderr.write(`npm run bench <name>; there are: ${known}\n`)
    process.exitCode = USAGE_EXIT_CODE
    return
  }
  if (!canMeasure()) {
    process.stderr.write('the benchmarks measure processes in /proc: Linux only\n')
    process.exitCode = USAGE_EXIT_CODE
    return
  }
  // Filling a store of fifty million rows takes longer than most that is measured on it.
  const kept = process.env['COINLAKE_BENCH_FOLDER']
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'coinlake-bench-'))
  try {
    await benchmark(folder, (line) => void process.stdout.write(`${line}\n`))
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

await main(process.argv[2])
