import { datasets } from '../../datasets/index.ts'
import type {
  Dataset,
  PageContext,
  PageTables,
  Row,
  RowSelection,
  Slice,
} from '../../datasets/dataset.ts'
import type { OperationId } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import { NOW_MS, type PageFacts, pageOf } from './context.ts'
import { rowsOf } from './rows-of.ts'

/** Tables in memory, and the smallest reader of RowSelection: what the service does in SQL. */
export class Warehouse {
  readonly tables = new Map<string, Row[]>()

  /** Takes a body as if just fetched. */
  load(
    dataset: Dataset,
    body: unknown,
    slice: Partial<Slice> = {},
    page: PageFacts = {},
  ): PageTables {
    return this.loadPage(dataset, body, pageOf(dataset, slice, page))
  }

  loadPage(dataset: Dataset, body: unknown, context: PageContext): PageTables {
    const page = dataset.toTables(body, context)
    for (const { table, rows } of page.tables) {
      const spec = dataset.tables.find((candidate) => candidate.name === table)!
      this.tables.set(table, [...(this.tables.get(table) ?? []), ...rowsOf(spec, rows)])
    }
    return page
  }

  answer(operation: OperationId, params: ParamValues = {}, nowMs = NOW_MS): unknown {
    const answer = datasets.flatMap((dataset) => dataset.answers[operation] ?? [])[0]!
    const rows = answer.select(params, nowMs).map((selection) => this.select(selection))
    return answer.toBody(rows, params, nowMs)
  }

  select(selection: RowSelection): Row[] {
    const { equals = {}, oneOf, between, newest, orderBy, offset = 0, limit = Infinity } = selection
    const { contains } = selection
    const all = this.tables.get(selection.table) ?? []
    let rows = all.filter(
      (row) =>
        Object.entries(equals).every(([column, value]) => row[column] === value) &&
        (oneOf === undefined || oneOf.values.includes(row[oneOf.column] as string)) &&
        (contains === undefined || contains.columns.some((name) => holds(row[name], contains))) &&
        (between === undefined ||
          ((row[between.column] as number) >= between.fromMs &&
            (row[between.column] as number) <= between.toMs)),
    )
    if (newest !== undefined) {
      const { column, nowMs, unfiltered = false } = newest
      // Without a ledger there are no buckets.
      const per = newest.bucket === true ? [] : (newest.per ?? [])
      const groupOf = (row: Row): string => JSON.stringify(per.map((name) => row[name]))
      const newestMs = new Map<string, number>()
      for (const row of unfiltered ? all : rows) {
        const ms = row[column] as number
        if (ms > nowMs) continue
        newestMs.set(groupOf(row), Math.max(ms, newestMs.get(groupOf(row)) ?? -Infinity))
      }
      rows = rows.filter((row) => row[column] === newestMs.get(groupOf(row)))
    }
    return rows.toSorted((a, b) => compare(a, b, orderBy)).slice(offset, offset + limit)
  }
}

function holds(
  value: Row[string] | undefined,
  { text, isWhole }: NonNullable<RowSelection['contains']>,
): boolean {
  const [held, wanted] = [String(value ?? '').toLowerCase(), text.toLowerCase()]
  return isWhole ? held === wanted : held.includes(wanted)
}

/** As DuckDB orders: texts by bytes, nulls last in both directions. */
function compare(a: Row, b: Row, orderBy: RowSelection['orderBy']): number {
  for (const { column, descending = false } of orderBy) {
    const [x, y] = [a[column] ?? null, b[column] ?? null]
    if (x === y) continue
    if (x === null) return 1
    if (y === null) return -1
    const order =
      typeof x === 'string' ? Buffer.compare(Buffer.from(x), Buffer.from(y as string)) : +x - +y
    return descending ? -order : order
  }
  return 0
}
