import type { Table as ArrowTable } from 'apache-arrow'

/**
 * Rows that were written a short time ago, so that a load in the process that fetched them reads no file
 * and parses none: by path, the oldest leave when there are too many bytes. Only rows whose file is still
 * the one that was written may be used; to see to that is the caller's duty.
 */
export class RecentRows {
  readonly #rows = new Map<string, { rows: ArrowTable; sizeBytes: number }>()
  readonly #maxBytes: number
  #sizeBytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** @param sizeBytes of the file, which the rows in memory are about as large as */
  keep(path: string, rows: ArrowTable, sizeBytes: number): void {
    this.forget(path)
    if (sizeBytes > this.#maxBytes) return
    this.#rows.set(path, { rows, sizeBytes })
    this.#sizeBytes += sizeBytes
    for (const oldest of this.#rows.keys()) {
      if (this.#sizeBytes <= this.#maxBytes) return
      this.forget(oldest)
    }
  }

  get(path: string): ArrowTable | undefined {
    return this.#rows.get(path)?.rows
  }

  forget(path: string): void {
    this.#sizeBytes -= this.#rows.get(path)?.sizeBytes ?? 0
    this.#rows.delete(path)
  }
}
