import type { StagedPage, TableRows } from './page-stage.ts'

/** Room for two batches and a load of charts at 65 bytes a row. 32 MB were too few. */
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Rows of recent pages, kept until their load. The oldest leave when there are too many bytes. Rows belong to an
 * answer, not to its file, which another process may have written anew.
 */
export class RecentRows {
  readonly #pages = new Map<string, { tables: readonly TableRows[]; sizeBytes: number }>()
  readonly #maxBytes: number
  #sizeBytes = 0

  constructor(maxBytes: number = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  keep(page: StagedPage, tables: readonly TableRows[]): void {
    this.forget(page)
    const sizeBytes = tables.reduce((sum, { rows }) => sum + sizeOf(rows), 0)
    if (sizeBytes > this.#maxBytes) return
    this.#pages.set(nameOf(page), { tables, sizeBytes })
    this.#sizeBytes += sizeBytes
    for (const [oldest, { sizeBytes: freed }] of this.#pages) {
      if (this.#sizeBytes <= this.#maxBytes) return
      this.#pages.delete(oldest)
      this.#sizeBytes -= freed
    }
  }

  get(page: StagedPage): readonly TableRows[] | undefined {
    return this.#pages.get(nameOf(page))?.tables
  }

  forget(page: StagedPage): void {
    this.#sizeBytes -= this.#pages.get(nameOf(page))?.sizeBytes ?? 0
    this.#pages.delete(nameOf(page))
  }
}

function nameOf({ key, requestedAtMs, body }: StagedPage): string {
  const { sliceId, generation, step, page } = key
  return [sliceId, generation, step, page, requestedAtMs, body.sha256].join(' ')
}

function sizeOf(rows: TableRows['rows']): number {
  return rows.batches.reduce((sum, { data }) => sum + data.byteLength, 0)
}
