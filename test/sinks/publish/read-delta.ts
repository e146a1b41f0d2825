import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import type { TableSpec } from '../../../datasets/dataset.ts'
import { filesAt } from '../../../sinks/publish-delta/folder-files.ts'
import { readDeltaManifest } from '../../../sinks/publish-delta/delta-manifest.ts'
import type { DeltaManifest } from '../../../sinks/publish-delta/delta-manifest.ts'
import { parquetRows } from './read-parquet.ts'

interface Entry {
  add?: { path: string; size: bigint | number; stats: string } | null
  remove?: { path: string } | null
}

function bufferOf(content: Buffer) {
  const bytes = new Uint8Array(content).buffer
  const slice = (start: number, end?: number): ArrayBuffer => bytes.slice(start, end)
  return { byteLength: bytes.byteLength, slice }
}

/** Names of a Delta table's files, found as its protocol says, by code that shares none with the writer. */
export async function deltaFiles(
  place: string,
  table: string,
  atVersion = Infinity,
): Promise<Map<string, NonNullable<Entry['add']>>> {
  const files = filesAt(place)
  const live = new Map<string, NonNullable<Entry['add']>>()
  const take = ({ add, remove }: Entry): void => {
    if (remove) live.delete(`${table}/${remove.path}`)
    if (add) live.set(`${table}/${add.path}`, add)
  }
  const log = (await files.list(`${table}/_delta_log/`)).map(({ name }) => name)
  const numberOf = (name: string): number => Number(/(\d{20})\./.exec(name)?.[1])
  const known = log.filter((name) => numberOf(name) <= atVersion)
  const checkpoint = known.findLast((name) => name.endsWith('.checkpoint.parquet'))
  const from = checkpoint === undefined ? -1 : numberOf(checkpoint)
  if (checkpoint !== undefined) {
    const file = bufferOf((await files.read(checkpoint))!)
    for (const entry of await parquetReadObjects({ file, compressors })) take(entry as Entry)
  }
  const commits = known.filter((name) => name.endsWith('.json') && numberOf(name) > from)
  for (const [index, name] of commits.entries()) {
    if (numberOf(name) !== from + 1 + index) throw new Error(`${name} comes after a gap`)
    const lines = String(await files.read(name))
      .trim()
      .split('\n')
    for (const line of lines) take(JSON.parse(line) as Entry)
  }
  return live
}

/** Rows of a Delta table, by its log. */
export async function readDeltaTable(
  place: string,
  table: TableSpec,
  atVersion?: number,
): Promise<string[]> {
  const rows: string[] = []
  for (const [path, { size, stats }] of await deltaFiles(place, table.name, atVersion)) {
    const content = await filesAt(place).read(path)
    if (content === null) throw new Error(`${place}/${path} is gone`)
    const own = await parquetRows(bufferOf(content), table)
    const told = [Number(size), (JSON.parse(stats) as { numRecords: number }).numRecords]
    if (told.join() !== [content.byteLength, own.length].join())
      throw new Error(`${path}: ${told.join()}`)
    rows.push(...own)
  }
  return rows
}

/** The manifest of what is published there; throws where nothing is. */
export async function manifestOf(place: string): Promise<DeltaManifest> {
  const read = await readDeltaManifest(place, filesAt(place))
  if (read === null) throw new Error(`nothing is published in ${place}`)
  return read.manifest
}

/** Objects that neither the manifest names, not even as retired, nor a log is made of. */
export async function orphansIn(place: string): Promise<string[]> {
  const { files, retired, views_sql: views } = await manifestOf(place)
  const named = new Set([views, 'manifest.json', ...[...files, ...retired].map(({ path }) => path)])
  const objects = await filesAt(place).list('')
  return objects
    .map(({ name }) => name)
    .filter((name) => !named.has(name) && !/^\w+\/_delta_log\/(?:\d{20}\.|_last_ch)/.test(name))
}
