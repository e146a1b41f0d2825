// Reads a publication again and again, as an analyst's tool would, until its standard input ends. Then prints the
// findings. Ways to read:
//
// - `link` opens the file for each look, `open` only once;
// - `resolved` resolves the tree's link for each look;
// - `glob` and `all` go through the link, with one pattern for each table or for all.
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { inDuckdb } from '../../parts/duckdb.ts'
import { FILE_SQL, treeSql, wholeTreeSql } from './full-sets.ts'
import type { ReaderKind, ReaderReport, Seen } from './full-sets.ts'

const [kind, root] = process.argv.slice(2) as [ReaderKind, string]
const file = join(root, 'coinlake.duckdb')
const report: ReaderReport = { kind, reads: 0, errors: [], partial: [], firstSeenMs: {} }

async function ask(connection: DuckDBConnection, sql: string): Promise<Seen> {
  const [row] = (await connection.runAndReadAll(sql)).getRowObjects()
  return Object.fromEntries(
    Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)]),
  ) as unknown as Seen
}

async function look(kept: DuckDBConnection | null): Promise<Seen> {
  if (kept !== null) return await ask(kept, FILE_SQL)
  if (kind === 'link') return await inDuckdb(file, (c) => ask(c, FILE_SQL), 'READ_ONLY')
  const tree = join(root, 'parquet')
  const folder = kind === 'resolved' ? realpathSync(tree) : tree
  if (kind === 'resolved') JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  return await inDuckdb(':memory:', (c) =>
    ask(c, kind === 'all' ? wholeTreeSql(tree) : treeSql(folder)),
  )
}

async function readOn(kept: DuckDBConnection | null): Promise<void> {
  let isAsked = true
  process.stdin.resume().once('end', () => (isAsked = false))
  let first: Seen | null = null
  for (let isLast = false; !isLast;) {
    isLast = !isAsked
    try {
      const seen = await look(kept)
      const isWhole =
        seen.set_rows === 6 * seen.sets &&
        seen.moving_rows === 3 &&
        seen.price_sum === 0 &&
        seen.newest === seen.newest_coin
      const isSame = kept === null || first === null || first.sets === seen.sets
      if (!isWhole || !isSame) report.partial.push(seen)
      report.firstSeenMs[seen.sets] ??= Date.now()
      first ??= seen
    } catch (error) {
      report.errors.push(String(error))
    }
    report.reads += 1
    if (report.reads === 1) process.stdout.write('ready\n')
    await nextTurn()
  }
  console.log(JSON.stringify(report))
}

await (kind === 'open' ? inDuckdb(file, readOn, 'READ_ONLY') : readOn(null))
