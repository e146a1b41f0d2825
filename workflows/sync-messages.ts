import type { ExportInput } from './messages.ts'

/** What a schedule starts at each of its times. */
export interface SyncInput {
  warehouseId: string
  /** Name of the schedule in the configuration. */
  schedule: string
  /** The order without its end, in the warehouse's folder of orders: each window gives it one. */
  templateId: string
  /** Where it was applied from: host and configuration file. */
  appliedFrom: string
  /** Fingerprint of everything that was applied, to tell whether there is anything to change. */
  definition: string
  run: Pick<ExportInput, 'queues' | 'publishEveryMs'>
}

/** How a window of a schedule came out. */
export interface SyncResult {
  /** The scheduled time, ISO 8601 UTC. */
  window: string
  /** null when a later window of the same schedule has taken its place. */
  runId: string | null
  verdict: string | null
  /** The scheduled time that took its place; null when none did. */
  supersededBy: string | null
}

/** Id of a schedule on the server. */
export function scheduleId(warehouseId: string, name: string): string {
  return `${schedulePrefix(warehouseId)}${name}`
}

/** What the ids of all schedules of a warehouse begin with. */
export function schedulePrefix(warehouseId: string): string {
  return `coinlake/${warehouseId}/`
}

/** Id of what a schedule starts; the server adds the time. */
export function syncWorkflowId(warehouseId: string, name: string): string {
  return `sync/${warehouseId}/${name}`
}

/** Id of the export that a schedule's window makes: one at a time, beside a backfill. */
export function syncExportId(warehouseId: string, name: string): string {
  return `export/${warehouseId}/${name}`
}
