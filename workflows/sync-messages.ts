import type { ExportInput } from './messages.ts'

/** The input of a schedule's window. */
export interface SyncInput {
  warehouseId: string
  /** Name of the schedule in the configuration. */
  schedule: string
  /** Id of the schedule's order, which has no end; each window sets the end. */
  templateId: string
  /** Host and configuration file of `schedule apply`. */
  appliedFrom: string
  /** Fingerprint of the applied schedule, to find changes. */
  definition: string
  run: Pick<ExportInput, 'queues' | 'publishEveryMs'>
}

/** The result of a schedule's window. */
export interface SyncResult {
  /** The scheduled time, ISO 8601 UTC. */
  window: string
  /** null = a later window of the schedule replaced this one. */
  runId: string | null
  verdict: string | null
  /** The scheduled time of the later window; null = none. */
  supersededBy: string | null
}

/** Id of a schedule on the server. */
export function scheduleId(warehouseId: string, name: string): string {
  return `${schedulePrefix(warehouseId)}${name}`
}

/** The common prefix of a warehouse's schedule ids. */
export function schedulePrefix(warehouseId: string): string {
  return `coinlake/${warehouseId}/`
}

/** Workflow id of a schedule's windows; the server appends the time. */
export function syncWorkflowId(warehouseId: string, name: string): string {
  return `sync/${warehouseId}/${name}`
}

/** Workflow id of the exports of a schedule; the fixed id allows one at a time, beside a backfill. */
export function syncExportId(warehouseId: string, name: string): string {
  return `export/${warehouseId}/${name}`
}
