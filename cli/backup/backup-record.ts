import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { sweepTemp } from '../../config/atomic-file.ts'
import { ConfigError } from '../../config/config-error.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { writeJsonDurably } from '../../sinks/publish/durable-files.ts'
import { coinlakeVersion } from '../version.ts'

/** Written last, so that it names only complete files; until then the folder holds the earlier backup. */
export interface BackupRecord {
  format: number
  coinlakeVersion: string
  /** The folder of the warehouse. */
  warehouse: string
  /** The moment to which a restore leads; null = the first backup has not ended. */
  at: string | null
  /** The copy of the store in `duckdb/`; null = the backup has only answers. */
  file: string | null
  /** The time at which the file equalled the store. */
  publishedAt: string | null
}

const FORMAT = 1
const RECORD = 'backup.json'

export function backupPaths(dir: string): { duckdbDir: string; stageDir: string } {
  return { duckdbDir: join(dir, 'duckdb'), stageDir: join(dir, 'stage') }
}

/** Whether `inner` is the folder `outer` or lies in it. Both must exist. */
export function isWithin(outer: string, inner: string): boolean {
  const [first = ''] = relative(realpathSync(outer), realpathSync(inner)).split('/')
  return first !== '..'
}

/** The backup in a folder. @throws ConfigError BACKUP_NONE, BACKUP_TOO_NEW */
export async function readBackup(dir: string): Promise<BackupRecord & { at: string }> {
  const record = existsSync(dir) ? await readRecord(dir) : null
  if (record !== null && record.at !== null) return { ...record, at: record.at }
  throw new ConfigError(`${dir} holds no finished backup`, {
    code: 'BACKUP_NONE',
    hint: '`coinlake backup DIR` makes one: name its folder.',
  })
}

/**
 * Opens the folder of a backup, and makes a missing one. The folder must be empty, or a backup of this warehouse.
 *
 * @throws ConfigError BACKUP_IN_WAREHOUSE, BACKUP_FOREIGN, BACKUP_OF_ANOTHER, BACKUP_TOO_NEW; errors of the file system
 */
export async function openBackup(dir: string, paths: WarehousePaths): Promise<BackupRecord> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const warehouse = realpathSync(paths.root)
  if (isWithin(warehouse, dir)) {
    throw new ConfigError(`${dir} lies in the warehouse ${warehouse}`, {
      code: 'BACKUP_IN_WAREHOUSE',
      hint: 'Name a folder outside of it, best on another disk.',
    })
  }
  await sweepTemp(dir)
  const record = await readRecord(dir)
  if (record === null) {
    if (readdirSync(dir).length > 0) {
      throw new ConfigError(`${dir} is neither empty nor a backup`, {
        code: 'BACKUP_FOREIGN',
        hint: 'Name an empty folder, or one that does not exist.',
      })
    }
    const begun = { format: FORMAT, coinlakeVersion, warehouse, at: null, file: null }
    return await writeRecord(dir, { ...begun, publishedAt: null })
  }
  if (record.warehouse === warehouse) return record
  throw new ConfigError(`${dir} is a backup of ${record.warehouse}, not of ${warehouse}`, {
    code: 'BACKUP_OF_ANOTHER',
    hint: `Name another folder. If the warehouse was moved, write its new folder into ${join(dir, RECORD)}.`,
  })
}

export async function writeRecord(dir: string, record: BackupRecord): Promise<BackupRecord> {
  await writeJsonDurably(resolve(dir, RECORD), record)
  return record
}

async function readRecord(dir: string): Promise<BackupRecord | null> {
  if (!existsSync(join(dir, RECORD))) return null
  let record: Partial<BackupRecord> | null = null
  try {
    record = JSON.parse(await readFile(join(dir, RECORD), 'utf8')) as Partial<BackupRecord> | null
  } catch {
    // Refused below, like another format.
  }
  if (record?.format === FORMAT) return record as BackupRecord
  throw new ConfigError(`${join(dir, RECORD)} is not of format ${FORMAT}`, {
    code: 'BACKUP_TOO_NEW',
    hint: `A newer coinlake wrote it: use that one, or name another folder. This is coinlake ${coinlakeVersion}.`,
  })
}
