import type { SourceClient } from '../api/client.ts'
import type { Clock } from '../config/clock.ts'
import type { Config } from '../config/config.ts'
import type { Publication } from '../sinks/publication.ts'
import type { Store } from '../sinks/duckdb-store/open-store.ts'
import type { UnfinishedRun } from '../sinks/store-records.ts'
import type { Stage } from '../stage/open-stage.ts'
import type { PageStage } from '../stage/page-stage.ts'
import type { SourceKey } from './fetch/key-ring.ts'
import type { RunObserver } from './run-events.ts'

export interface PageDeps {
  runId: string
  clock: Clock
  config: Config
  client: SourceClient
  stage: PageStage
  /** The place of the stage. Requests that bring no page are noted there. */
  stageDir: string
}

export interface FetchDeps extends Omit<PageDeps, 'client' | 'runId'> {
  keys: readonly SourceKey[]
  /** Pages in flight per batch. */
  pagesInFlight: number
  observe: RunObserver
  /** A batch begins no page after this time. Default 5 s. */
  batchMs?: number
}

/** The parts that plan, load and report, in the process with the open store. */
export interface StoreDeps {
  clock: Clock
  config: Config
  stage: PageStage & Pick<Stage, 'expireDaily'>
  store: Store
  publications: readonly Publication[]
  stageDir: string
  ordersDir: string
  /** The folder of reports. */
  runsDir: string
  coinlakeVersion: string
  /** Absent in tests without schedules and without a second run. */
  otherRuns?: OtherRuns
}

/** Temporal's answers about the other runs of the warehouse. */
export interface OtherRuns {
  /** Ids of those `runs` that Temporal still works on. The others were broken off. */
  stillOpen(runs: readonly UnfinishedRun[]): Promise<string[]>
  /** The newest due window of a schedule, epoch ms; null = none lately. */
  newestWindowMs(schedule: string): Promise<number | null>
  /** Hash of the workflow code of this process. */
  workflowsId: string
}
