import type { SourceClient } from '../api/client.ts'
import type { Clock } from '../config/clock.ts'
import type { Config } from '../config/config.ts'
import type { Publication } from '../sinks/publication.ts'
import type { Store, UnfinishedRun } from '../sinks/store.ts'
import type { DiskStage } from '../stage/disk-stage.ts'
import type { PageStage } from '../stage/page-stage.ts'
import type { StageWalks } from '../stage/stage-walks.ts'

/** What the fetching side of a worker works with. */
export interface FetchDeps {
  clock: Clock
  config: Config
  client: SourceClient
  /** The stage in a folder: fetch workers serve every warehouse of their key. */
  stageAt(stageDir: string): PageStage
}

/** What the one process that holds the store open works with. */
export interface LoadDeps {
  clock: Clock
  config: Config
  stage: PageStage & Pick<DiskStage, 'expire'>
  /** When that was walked last, for what has outlived its time. */
  stageWalks: Pick<StageWalks, 'isDue' | 'note'>
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

export interface ControlDeps {
  /** Sets or lifts the server's cap on a fetch queue, in calls a second. */
  setQueueCap(fetchQueue: string, callsPerSecond: number | null): Promise<void>
}
