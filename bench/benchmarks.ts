import type { Benchmark } from './benchmark.ts'
import { budget } from './budget.ts'
import { builds } from './builds.ts'
import { chaos } from './chaos.ts'
import { crash } from './crash.ts'
import { full } from './full.ts'
import { marginal } from './marginal.ts'
import { peers } from './peers.ts'
import { publish } from './publish.ts'
import { query } from './query.ts'
import { readers } from './readers.ts'
import { replay } from './replay.ts'
import { serve } from './serve.ts'
import { slices } from './slices.ts'
import { split } from './split.ts'
import { w1 } from './w1.ts'
import { w2 } from './w2.ts'

/** Every benchmark, in the order in which bench/README.md tells of them. */
export const benchmarks: readonly Benchmark[] = [
  w1,
  w2,
  peers,
  marginal,
  split,
  serve,
  full,
  budget,
  publish,
  query,
  readers,
  slices,
  replay,
  crash,
  chaos,
  builds,
]
