import { LRUCache } from 'lru-cache'
import { floorTo } from '../../api/granularity.ts'
import { frozenClock } from '../../config/clock.ts'
import { DAY_MS } from '../../config/values/duration.ts'
import type { Dataset, Row, RowSelection } from '../../datasets/dataset.ts'
import { datasets, tableByName } from '../../datasets/index.ts'
import { answerFromRows } from '../answer-from-rows.ts'
import type { AnswerSource } from '../answer-source.ts'
import { CATEGORIES } from '../market/categories.ts'
import { askedWindows, listingBatches, marketEntities } from '../market/listing-batches.ts'
import { createMarket } from '../market/market.ts'
import type { MarketSpec } from '../market/market-spec.ts'
import { BATCHED_DATASETS, seriesBatches } from '../market/series-batches.ts'
import { selectRows, tableRows, type TableRows } from './select-rows.ts'
import { addSparklines } from './sparklines.ts'

/** Most rows in memory. Only the largest preset has more. */
const MAX_MADE_ROWS = 3_000_000

const DATASETS_BY_TABLE: ReadonlyMap<string, Dataset> = new Map(
  datasets.flatMap((dataset) => dataset.tables.map(({ name }) => [name, dataset] as const)),
)

/**
 * The simulated market of one moment. A request makes the rows that it reads: a whole listing, or the rows of one coin,
 * exchange or token (of a dated dataset, one day of them). The rows stay for later requests, up to a limit.
 *
 * @throws ConfigError MARKET_SPEC
 */
export function createSimulatedSource(spec: MarketSpec, maxMadeRows = MAX_MADE_ROWS): AnswerSource {
  const market = createMarket(spec)
  const made = new LRUCache<string, ReadonlyMap<string, TableRows[]>>({
    maxSize: maxMadeRows,
    sizeCalculation: (tables) =>
      [...tables.values()].flat().reduce((sum, { rowCount }) => sum + rowCount, 1),
  })

  const tablesOf = (dataset: Dataset, entity: string | null, dayMs: number | null) => {
    const key = `${dataset.name} ${entity ?? ''} ${dayMs ?? ''}`
    const known = made.get(key)
    if (known !== undefined) return known
    const entities = entity === null ? undefined : [entity]
    const windows = dayMs === null ? undefined : askedWindows(market, dayMs)
    const batches =
      entity !== null && BATCHED_DATASETS.has(dataset.name)
        ? seriesBatches(dataset, market, entity)
        : listingBatches(dataset, market, entities, windows)
    const tables = new Map<string, TableRows[]>()
    for (const { table, rows } of batches) {
      tables.set(table, [...(tables.get(table) ?? []), tableRows(tableByName(table)!, rows)])
    }
    made.set(key, tables)
    return tables
  }

  const rowsOf = (selection: RowSelection): Row[] => {
    const { table, equals = {} } = selection
    if (table === 'coin_detail_categories' && equals['coin_id'] === undefined) {
      // The members of a category. Making the details of every coin would take a minute.
      const category = CATEGORIES.find(({ id }) => id === equals['category_id'])
      const members = category === undefined ? [] : market.coins.filter(category.has)
      return members.map(({ id }) => ({ coin_id: id }))
    }
    const dataset = DATASETS_BY_TABLE.get(table)!
    const entity = entityOf(dataset, selection)
    if (entity !== null && !marketEntities(dataset, market).includes(entity)) return []
    const dayMs = dataset.kind === 'dated' ? dayOf(selection, spec.nowMs) : null
    const tables = tablesOf(dataset, entity, dayMs)
    return selectRows(tableByName(table)!, tables.get(table) ?? [], selection)
  }

  const fromRows = answerFromRows(datasets, frozenClock(spec.nowMs), async (selections) =>
    selections.map(rowsOf),
  )
  return {
    ...fromRows,
    answer: async (operation, params) => {
      const answered = await fromRows.answer(operation, params)
      if (answered.kind === 'json') addSparklines(market, operation, params, answered.body)
      return answered
    },
    close: async () => {},
  }
}

/** The day whose rows a selection reads; yesterday has the newest. The rows of all days would take a second for each coin. */
function dayOf({ between }: RowSelection, nowMs: number): number {
  return between?.fromMs ?? floorTo(nowMs, '1d') - DAY_MS
}

/** The coin, exchange or token whose rows a selection reads; null: those of a listing, which are made together. */
function entityOf(
  { entity, entitiesPerSlice }: Dataset,
  { table, equals = {} }: RowSelection,
): string | null {
  if (entity === null || entity === 'query' || entitiesPerSlice !== undefined) return null
  const columns = tableByName(table)!.key.slice(0, entity === 'token' ? 2 : 1)
  return columns.map((name) => equals[name]).join('/')
}
