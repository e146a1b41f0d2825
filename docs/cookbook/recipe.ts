/** A question that people ask of market history, with the SQL that answers it. */
export interface Recipe {
  question: string
  /** Advice on the answer, in a sentence or two. */
  note: string
  /**
   * Runs alike on the published DuckDB file and on the Parquet tree, in any session time zone: sums
   * are rounded, as the order in which doubles are added may differ, and every row has its place.
   */
  sql: string
}
