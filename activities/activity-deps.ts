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

/** Needed to fetch a page. */
export interface PageDeps {
  clock: Clock
  config: Config
  client: SourceClient
  stage: PageStage
  /** The place of the stage; requests that bring no page are noted there. */
  stageDir: string
}

/** Needed to fetch a batch. */
export interface FetchDeps extends Omit<PageDeps, 'client'> {
  keys: readonly SourceKey[]
  /** Pages that one batch has in flight. */
  pagesInFlight: number
  /** Receives an event for each page. */
  observe: RunObserver
  /** A batch begins no page after this time. Default 5 s. */
  batchMs?: number
}

/** The parts that plan, load and report, in the process that holds the store open. */
export interface StoreDeps {
  clock: Clock
  config: Config
  stage: PageStage & Pick<Stage, 'expireDaily'>
  store: Store
  publications: readonly Publication[]
  /** The place of the stage; notes of requests that brought no page are collected there. */
  stageDir: string
  coinlakeVersion: string
  /** Absent in tests without schedules and without a second run. */
  otherRuns?: OtherRuns
}

/** Temporal's view of the other runs of the warehouse. */
export interface OtherRuns {
  /** Ids of those `runs` that Temporal still works on; the other runs were broken off. */
  openOf(runs: readonly UnfinishedRun[]): Promise<string[]>
  /** The newest window of a schedule that has come due; null = none did lately. */
  newestWindowMs(schedule: string): Promise<number | null>
  /** Hash of the workflow code of this process (see retireForeignRun). */
  workflowsId: string
}
