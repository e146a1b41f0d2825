import type { Table as ArrowTable } from 'apache-arrow'
import { SourceDataError, SourceUnavailableError } from '../../api/errors.ts'
import { datasetByName } from '../../datasets/index.ts'
import type { PageTables } from '../../datasets/dataset.ts'
import type { PageKey, PageStage, StagedPage } from '../../stage/page-stage.ts'
import type { AskDeps, GoodAnswer, SourceRequest } from './ask-source.ts'
import type { ThrottledAnswer } from './throttled-answer.ts'
import { askWithAcceptedParams } from './ask-accepted.ts'
import type { PageCalls } from './batch-time.ts'
import { PAGELESS_CODES } from './lost-requests.ts'

/** No listing has this many pages; the longest known has 72. A service may invent new rows for every page. */
const MOST_PAGES = 1_000

const HINT = 'The service does not page this listing as its interface says; report it to its owner.'

/** Key columns that differ between two readings of a row. */
const CHANGING_KEY_COLUMNS: ReadonlySet<string> = new Set(['observed_at', 'ordinal'])

/**
 * Whether a page has the same rows as the page before it.
 *
 * @param before the staged page before; null for a first page
 * @throws SourceDataError LISTING_ENDLESS beyond MOST_PAGES.
 */
export async function repeatsPageBefore(
  stage: PageStage,
  key: PageKey,
  before: StagedPage | null,
  dataset: string,
  { tables }: PageTables,
  url: string,
): Promise<boolean> {
  if (key.page === 1) return false
  refuseEndless(key.page, url)
  for (const { table, rows } of tables) {
    const staged = before?.tables.find((one) => one.table === table)
    if (before === null || staged === undefined) return false
    if (rows.numRows === 0 || staged.rowCount !== rows.numRows) return false
    const names = keyColumns(dataset, table)
    const rowsBefore = await stage.readTable(before, table)
    if (!names.every((name) => areEqual(rowsBefore, rows, name))) return false
  }
  return tables.length > 0
}

/** Turns a repeated page into an empty last page. Its rows count as duplicates. */
export function emptyLastPage({ tables, counts, rejected }: PageTables): PageTables {
  const repeated = tables.reduce((sum, { rows }) => sum + rows.numRows, rejected.length)
  return {
    tables: tables.map(({ table, rows }) => ({ table, rows: rows.slice(0, 0) })),
    counts: { ...counts, duplicate: counts.duplicate + repeated },
    rejected: [],
    unknownPaths: {},
    itemCount: 0,
    deliveredGranularity: null,
  }
}

export interface RepeatedPage {
  /** Its place in the listing, from 2. */
  number: number
  answer: Pick<GoodAnswer, 'json' | 'url'>
  /** Items of this page, and of the listing's first page. */
  items: number
  firstItems: number
  /** Requested items per page. */
  perPage: number
}

/**
 * Examines a page that repeats the page before. Some services repeat the last page beyond the end. Others ignore `page`
 * or send a page twice by mistake, and the rest of the list would be lost. A page shorter than the first proves the end;
 * else one more call decides.
 *
 * @returns null = the listing has ended; otherwise the source's 429.
 * @throws SourceDataError LISTING_REPEATS when the service ignores `page`; SourceUnavailableError LISTING_GLITCH when
 *   more pages follow: the page is then tried again.
 */
export async function confirmEnd(
  deps: AskDeps,
  request: SourceRequest,
  pageCalls: PageCalls,
  page: RepeatedPage,
): Promise<ThrottledAnswer | null> {
  if (page.items < page.firstItems) return null
  const { url } = page.answer
  const identities = identitiesOf(page.answer.json)
  if (page.number === 2) {
    const half = Math.floor(identities.length / 2)
    if (half > 0 && request.params['per_page'] !== undefined) {
      return confirmByHalves(deps, request, pageCalls, { identities, half, url })
    }
    // The operation has no smaller pages, so the size decides: a page that is not full is the whole list.
    if (page.items < page.perPage) return null
    throw listingRepeatsError(url)
  }
  const params = { ...request.params, page: String(page.number + 1) }
  const asked = await probe(deps, { ...request, params }, pageCalls)
  if (asked.kind === 'throttled') return asked
  if (asked.identities.length === 0 || areSameItems(asked.identities, identities)) return null
  throw glitchError(url)
}

/**
 * Decides by half pages whether page 1 is the whole list. If so, the third half page is empty, holds only the last
 * item of an odd number, or repeats the second.
 */
async function confirmByHalves(
  deps: AskDeps,
  request: SourceRequest,
  pageCalls: PageCalls,
  { identities, half, url }: { identities: readonly string[]; half: number; url: string },
): Promise<ThrottledAnswer | null> {
  const params = { ...request.params, per_page: String(half), page: '3' }
  const asked = await probe(deps, { ...request, params }, pageCalls)
  if (asked.kind === 'throttled') return asked
  const isOneOf = (...parts: (readonly string[])[]): boolean =>
    parts.some((part) => areSameItems(part, asked.identities))
  if (isOneOf(identities.slice(half * 2), identities.slice(half, half * 2), [])) return null
  if (isOneOf(identities.slice(0, half), identities)) throw listingRepeatsError(url)
  throw glitchError(url)
}

async function probe(
  deps: AskDeps,
  request: SourceRequest,
  pageCalls: PageCalls,
): Promise<{ kind: 'probed'; identities: string[] } | ThrottledAnswer> {
  return askWithAcceptedParams(deps, request, pageCalls, async (answer) => {
    await answer.recordLost(PAGELESS_CODES.listingProbe)
    return { kind: 'probed', identities: identitiesOf(answer.json) } as const
  })
}

/** The identities of a page's items, without the moving prices: ids, or pair and market. */
function identitiesOf(json: unknown): string[] {
  const list = Array.isArray(json) ? json : (json as { tickers?: unknown } | null)?.tickers
  return (Array.isArray(list) ? list : []).map((item: unknown) => {
    const { id, base, target, market } = (item ?? {}) as Record<string, unknown>
    return JSON.stringify(id ?? [base, target, (market as { identifier?: unknown })?.identifier])
  })
}

/** Whether two pages list the same items in the same order. */
export function areSameItems(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((identity, i) => identity === b[i])
}

function keyColumns(dataset: string, table: string): string[] {
  const spec = datasetByName(dataset)?.tables.find(({ name }) => name === table)
  return (spec?.key ?? []).filter((name) => !CHANGING_KEY_COLUMNS.has(name))
}

function areEqual(a: ArrowTable, b: ArrowTable, name: string): boolean {
  const [left, right] = [a.getChild(name), b.getChild(name)]
  if (left === null || right === null) return false
  for (let row = 0; row < b.numRows; row++) {
    if (left.get(row) !== right.get(row)) return false
  }
  return true
}

/** @throws SourceDataError LISTING_ENDLESS beyond MOST_PAGES. */
export function refuseEndless(page: number, url: string): void {
  if (page <= MOST_PAGES) return
  const what = `the listing has more than ${MOST_PAGES} pages`
  throw new SourceDataError(what, { code: 'LISTING_ENDLESS', hint: HINT, url })
}

function listingRepeatsError(url: string): SourceDataError {
  const what = 'page 2 of the listing has the rows of page 1, so the service ignores pages'
  return new SourceDataError(what, { code: 'LISTING_REPEATS', hint: HINT, url })
}

/** Can be retried: the next answer may be right. */
function glitchError(url: string): SourceUnavailableError {
  const what = 'a page of the listing repeats the page before it, and yet more follows'
  return new SourceUnavailableError(what, {
    code: 'LISTING_GLITCH',
    hint: 'Run the same command again: it reads the listing anew.',
    url,
  })
}
