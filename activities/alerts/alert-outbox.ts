import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../stage/sha256.ts'
import { readStateFile, writeStateFile } from '../state-file.ts'
import type { Alert } from './alert.ts'

/** An alert that its receiver has not accepted yet. */
export interface WaitingAlert {
  alert: Alert
  /** When the alert was raised. */
  sinceMs: number
}

const FILE_NAME_PATTERN = /^[0-9a-f]{16}\.json$/
const HEX_DIGITS = 16

/** Alerts that wait for their receiver, as files: they survive the process that raised them. */
export function alertOutbox(dir: string) {
  const fileOf = (id: string): string => join(dir, `${sha256(id).slice(0, HEX_DIGITS)}.json`)
  return {
    /** A repeated `put` changes nothing. @throws SinkError ALERT_NOT_KEPT */
    async put(alert: Alert, nowMs: number): Promise<void> {
      const file = fileOf(alert.id)
      if (readStateFile(file) !== null) return
      const waiting: WaitingAlert = { alert, sinceMs: nowMs }
      await writeStateFile(file, waiting, 'ALERT_NOT_KEPT')
    },
    /** Oldest first; foreign files are ignored. */
    async waiting(): Promise<WaitingAlert[]> {
      const names = (await readdir(dir).catch(() => [])).filter((name) =>
        FILE_NAME_PATTERN.test(name),
      )
      const all = names.map((name) => readStateFile(join(dir, name)) as WaitingAlert | null)
      return all.filter((one) => one !== null).toSorted((a, b) => a.sinceMs - b.sinceMs)
    },
    remove: (id: string): Promise<void> => rm(fileOf(id), { force: true }),
  }
}
