import type { Benchmark } from './benchmark.ts'
import { budget } from './budget/budget.ts'
import { builds } from './builds.ts'
import { chaos } from './disturb/chaos.ts'
import { crash } from './disturb/crash.ts'
import { marginal } from './marginal.ts'
import { peers } from './compare/peers.ts'
import { publish } from './publish.ts'
import { query } from './query.ts'
import { readers } from './readers/readers.ts'
import { serve } from './serve.ts'
import { slices } from './slices.ts'
import { small } from './small.ts'
import { w1, w2 } from './compare/beside-script.ts'

/** Every benchmark, in the order of bench/README.md. */
export const benchmarks: readonly Benchmark[] = [
  w1,
  w2,
  peers,
  marginal,
  serve,
  budget,
  publish,
  query,
  readers,
  slices,
  small,
  crash,
  chaos,
  builds,
]
