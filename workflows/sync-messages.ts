import type { ExportInput } from './messages.ts'

export interface SyncInput {
  warehouseId: string
  /** Name of the schedule in the configuration. */
  schedule: string
  /** Id of the schedule's order. The order has no end: each window sets its own. */
  templateId: string
  /** Host and configuration file of `schedule apply`. */
  appliedFrom: string
  /** Fingerprint of the applied schedule, by which changes are found. */
  definition: string
  run: Pick<ExportInput, 'queues' | 'publishEveryMs'>
}

export interface SyncResult {
  /** The scheduled time, ISO 8601 UTC. */
  window: string
  runId: string
  verdict: string
}

/** Id of a schedule on the server. */
export function scheduleId(warehouseId: string, name: string): string {
  return `${schedulePrefix(warehouseId)}${name}`
}

export function schedulePrefix(warehouseId: string): string {
  return `coinlake/${warehouseId}/`
}

/** Workflow id of a schedule's windows. The server appends the time. */
export function syncWorkflowId(warehouseId: string, name: string): string {
  return `sync/${warehouseId}/${name}`
}

/** Workflow id of a schedule's exports. One id allows one at a time, beside a backfill. */
export function syncExportId(warehouseId: string, name: string): string {
  return `export/${warehouseId}/${name}`
}
