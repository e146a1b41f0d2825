import type { SourceClient } from '../api/client.ts'
import type { Clock } from '../config/clock.ts'
import type { Config } from '../config/config.ts'
import type { Publication } from '../sinks/publication.ts'
import type { Store } from '../sinks/duckdb-store/open-store.ts'
import type { UnfinishedRun } from '../sinks/store.ts'
import type { Stage } from '../stage/open-stage.ts'
import type { PageStage } from '../stage/page-stage.ts'
import type { SourceKey } from './fetch/key-ring.ts'
import type { RunObserver } from './run-events.ts'

/** The parts that fetch a page. */
export interface PageDeps {
  clock: Clock
  config: Config
  client: SourceClient
  stage: PageStage
  /** Where the stage lies: requests that bring no page are noted there. */
  stageDir: string
}

/** The parts that fetch a batch. */
export interface FetchDeps extends Omit<PageDeps, 'client'> {
  keys: readonly SourceKey[]
  /** Pages that one batch has in flight. */
  pagesInFlight: number
  /** Told of each page. */
  observe: RunObserver
  /** How long a batch begins pages. Default 5 s. */
  batchMs?: number
}

/** What the one process that holds the store open works with. */
export interface LoadDeps {
  clock: Clock
  config: Config
  stage: PageStage & Pick<Stage, 'expireDaily'>
  store: Store
  publications: readonly Publication[]
  /** Where the stage lies: requests that brought no page are collected from there. */
  stageDir: string
  coinlakeVersion: string
  /** Absent where no schedule is looked at and no other run can be open: tests. */
  others?: OtherRuns
}

/** What Temporal knows beside the run at hand. */
export interface OtherRuns {
  /** Those of the runs that are open: the others were broken off. */
  openOf(runs: readonly UnfinishedRun[]): Promise<string[]>
  /** The newest window of a schedule that has come due; null = none lately. */
  newestWindowMs(schedule: string): Promise<number | null>
  /** Names the workflow code of this process (see retireForeignRun). */
  workflowsId: string
}
