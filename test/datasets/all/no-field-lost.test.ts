import { afterAll, describe, expect, test } from 'vitest'
import { type OperationId, operations } from '../../../api/operations.ts'
import type { Dataset, PageContext, Slice } from '../../../datasets/dataset.ts'
import { datasets } from '../../../datasets/index.ts'
import { recordingName } from '../../../service/recordings/recording-names.ts'
import { pageOf } from '../context.ts'
import { leavesOf, marker, markersOfAnyForm, replaceLeaves } from './planted.ts'
import { rowsOf } from '../rows-of.ts'
import { samples } from '../samples.ts'

const IDS = Object.keys(operations) as OperationId[]

interface Recording {
  file: string
  operation: OperationId
  body: unknown
}

/** All recorded answers. Ping says that the service is up: nothing of it is kept. */
function recordings(): Recording[] {
  return samples('').flatMap(([file, body]) => {
    const operation = recordingName(file, IDS)?.operation ?? 'ping'
    return operation === 'ping' ? [] : [{ file, operation, body }]
  })
}

const recorded = recordings()
const counts = { columns: 0, leftOut: 0, recordings: 0 }

afterAll(() => {
  const { columns, leftOut, recordings } = counts
  if (recordings > 0) {
    console.log(`${columns} paths of ${recordings} recordings are in columns, ${leftOut} left out`)
  }
})

function datasetOf(operation: OperationId): Dataset {
  return datasets.find((dataset) => dataset.operations.includes(operation))!
}

/** A page that takes the whole body: its slice is wide enough, and asks for what the body says it is. */
function contextOf(dataset: Dataset, operation: OperationId, body: unknown): PageContext {
  const slice: Partial<Slice> = {
    entity: entityOf(dataset, body),
    vsCurrency: dataset.perCurrency ? 'usd' : '',
    granularity: dataset.granularities[0] ?? '',
  }
  if (operation.startsWith('simple/') && dataset.perCurrency) {
    const quotes = Object.entries(body as Record<string, object>)
    const ids = quotes.map(([id]) => (dataset.entity === 'token' ? `ethereum/${id}` : id))
    const codes = quotes.flatMap(([, quote]) => Object.keys(quote))
    slice.entity = ids.join(',')
    slice.vsCurrency = [...new Set(codes.map((code) => code.split('_')[0]!))].join(',')
  }
  const step = { operation, params: {}, paging: 'single', perPage: 0 } as const
  return pageOf(dataset, slice, { step })
}

function entityOf({ entity }: Dataset, body: unknown): string {
  const { id, contract_address: address } = body as { id?: string; contract_address?: string }
  if (entity === null) return ''
  return entity === 'token' ? `ethereum/${address ?? '0xabc'}` : (id ?? 'x y')
}

/** Every value in the columns of the tables that a body becomes; the technical columns do not count. */
function valuesOf(dataset: Dataset, body: unknown, context: PageContext): Set<unknown> {
  const values = new Set<unknown>()
  for (const { table, rows } of dataset.toTables(body, context).tables) {
    const spec = dataset.tables.find(({ name }) => name === table)!
    for (const row of rowsOf(spec, rows)) {
      for (const { name, type } of spec.columns) {
        const value = row[name] ?? null
        if (value === null || name.startsWith('_')) continue
        if (type !== 'json') values.add(value)
        else for (const leaf of leavesOf(JSON.parse(value as string))) values.add(leaf.value)
      }
    }
  }
  return values
}

/** Whether a planted value stands in a column, as it is or as the time that it says. */
function isIn(values: ReadonlySet<unknown>, planted: unknown): boolean {
  if (typeof planted === 'object' && planted !== null) {
    return leavesOf(planted).some(({ value }) => isIn(values, value))
  }
  if (values.has(planted)) return true
  // Epoch seconds are epoch milliseconds in a row, and some numbers come as text at times.
  if (typeof planted === 'number') return values.has(planted * 1000)
  return values.has(Number(planted)) || values.has(Date.parse(String(planted)))
}

/** Paths that the dataset leaves out whole; what is left out in one case only is looked for all the same. */
function isLeftOut(dataset: Dataset, pattern: string): boolean {
  const whole = dataset.leftOut.map(({ path }) => path).filter((path) => !path.includes(' '))
  return whole.some((path) =>
    [path, `${path}.`, `${path}[`].some((start, index) =>
      index === 0 ? pattern === start : pattern.startsWith(start),
    ),
  )
}

/** Patterns whose planted values are in no column. Every leaf of the body gets another value. */
function lostPatterns(dataset: Dataset, recording: Recording): string[] {
  const planted: { pattern: string; value: unknown }[] = []
  const body = replaceLeaves(recording.body, (value, pattern) => {
    const changed = marker(value, planted.length)
    if (!Object.is(changed, value)) planted.push({ pattern, value: changed })
    return changed
  })
  const context = contextOf(dataset, recording.operation, body)
  expect(dataset.toTables(body, context).rejected).toEqual([])
  const values = valuesOf(dataset, body, context)
  const lost = planted.filter(({ value }) => !isIn(values, value))
  return [...new Set(lost.map(({ pattern }) => pattern))]
}

/** Whether a path that holds true or false in the body changes what is in the columns. */
function isFlagKept(
  dataset: Dataset,
  body: unknown,
  context: PageContext,
  pattern: string,
): boolean {
  const [yes, no] = [true, false].map((flag) => {
    const bent = replaceLeaves(body, (value, at) => (at === pattern ? flag : value))
    return tablesText(dataset, bent, context)
  })
  return yes !== no
}

function tablesText(dataset: Dataset, body: unknown, context: PageContext): string {
  const tables = dataset.toTables(body, context).tables.map(({ table, rows }) => {
    const spec = dataset.tables.find(({ name }) => name === table)!
    return rowsOf(spec, rows).map((row) => {
      return Object.entries(row).filter(([name]) => !name.startsWith('_'))
    })
  })
  return JSON.stringify(tables)
}

/** Whether a path that holds nothing in the body is in a column once it holds something. */
function isEmptyKept(
  dataset: Dataset,
  body: unknown,
  context: PageContext,
  pattern: string,
): boolean {
  return markersOfAnyForm(7).some((planted) => {
    const filled = replaceLeaves(body, (value, at) => (at === pattern ? planted : value))
    try {
      return isIn(valuesOf(dataset, filled, context), planted)
    } catch {
      // Not the form that the body wants there.
      return false
    }
  })
}

const byOperation = Map.groupBy(recorded, ({ operation }) => operation)

test.skipIf(recorded.length === 0)('every operation has recordings, and a dataset', () => {
  const wanted = IDS.filter((id) => id !== 'ping')
  expect([...byOperation.keys()].toSorted()).toEqual(wanted.toSorted())
  for (const id of wanted) expect(datasetOf(id), id).toBeDefined()
})

describe.each([...byOperation])('%s', (operation, all) => {
  const dataset = datasetOf(operation)
  /** Patterns that hold a value in one of the recordings, or of which nothing has to be shown any more. */
  const known = all.flatMap(({ body }) =>
    leavesOf(body).flatMap(({ pattern, value }) => (isEmpty(value) ? [] : [pattern])),
  )

  test.each(all.map((recording) => [recording.file, recording] as const))(
    '%s: each path is in a column, or left out for a reason',
    (_, recording) => {
      const { body } = recording
      const context = contextOf(dataset, operation, body)
      const leaves = new Map(leavesOf(body).map(({ pattern, value }) => [pattern, value]))
      const kept = [...leaves].filter(([pattern]) => !isLeftOut(dataset, pattern))
      const lost = lostPatterns(dataset, recording).filter((one) => !isLeftOut(dataset, one))
      for (const [pattern, value] of kept) {
        if (typeof value === 'boolean' && !isFlagKept(dataset, body, context, pattern)) {
          lost.push(pattern)
        }
        if (!isEmpty(value) || known.some((one) => one.startsWith(pattern))) continue
        if (isEmptyKept(dataset, body, context, pattern)) known.push(pattern)
        else lost.push(pattern)
      }
      expect(lost).toEqual([])
      counts.recordings++
      counts.columns += kept.length
      counts.leftOut += leaves.size - kept.length
    },
  )
})

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}
