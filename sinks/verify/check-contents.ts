import type { Slice, TableSpec } from '../../datasets/dataset.ts'
import { quoteText } from '../../datasets/table/ddl.ts'
import { contentsTable } from '../ledger/row-tables.ts'
import { rowFingerprint } from '../ledger/row-fingerprint.ts'
import { SLICE_COLUMNS } from '../duckdb-store/ledger/slice-rows.ts'
import { difference, type Difference, type VerifyContext } from './verify-source.ts'

/** The rows of a slice that differ. Parts of the slice are null when the ledger does not know it. */
interface Held extends Slice {
  sliceId: string
  expected: number
  found: number
  missing: number
}

/**
 * Compares the rows of each slice with those that the loads wrote: number and fingerprint. Fingerprints count only if
 * the same DuckDB made both. Rows of a slice that is not in the ledger are `unknown_slice`.
 */
export async function checkContents(
  context: VerifyContext,
  table: TableSpec,
  relation: string,
): Promise<Difference[]> {
  const { source } = context
  const rows = await source.rows<Held>(
    `WITH expected AS (
       SELECT slice_id, load_id, sum(row_count)::BIGINT AS row_count,
         bit_xor(fingerprint::UBIGINT) AS fingerprint, bool_and(engine = version()) AS comparable
       FROM ${source.ledger(contentsTable.name)} WHERE table_name = ${quoteText(table.name)}
       GROUP BY ALL
     ), found AS (
       SELECT slice_id, load_id, count(*) AS row_count,
         bit_xor(${rowFingerprint(table)}) AS fingerprint
       FROM ${relation} t GROUP BY ALL
     ), held AS (
       SELECT slice_id, coalesce(e.row_count, 0) AS expected, coalesce(f.row_count, 0) AS found,
         coalesce(comparable, true)
           AND coalesce(e.fingerprint, 0) <> coalesce(f.fingerprint, 0) AS changed
       FROM expected e FULL JOIN found f USING (slice_id, load_id)
     ), sums AS (
       SELECT slice_id, sum(expected)::BIGINT AS expected, sum(h.found)::BIGINT AS found,
         sum(greatest(expected - h.found, 0))::BIGINT AS missing,
         bool_or(expected <> h.found OR changed) AS differs
       FROM held h GROUP BY slice_id
     ), known AS (
       SELECT slice_id, ${SLICE_COLUMNS} FROM ${source.ledger('_slices')} WHERE state <> 'planned'
     ), doubtful AS (
       FROM sums WHERE differs OR (found > 0 AND NOT EXISTS (FROM known k WHERE k.slice_id = sums.slice_id))
     ), slices AS (
       -- Only of these: the names of all slices may exceed DuckDB's memory.
       SELECT DISTINCT ON (slice_id) * FROM known WHERE slice_id IN (SELECT slice_id FROM doubtful)
     )
     SELECT slice_id AS sliceId, expected, found, missing, * EXCLUDE (slice_id, expected, found, missing, differs)
     FROM doubtful LEFT JOIN slices USING (slice_id) ORDER BY slice_id`,
  )
  return rows.map(({ sliceId, expected, found, missing, ...slice }) => {
    const isKnown = slice.dataset !== null
    const isSameCount = expected === found && missing === 0
    return difference(context, {
      check: isKnown ? 'rows' : 'unknown_slice',
      table: table.name,
      sliceId,
      slice: isKnown ? slice : null,
      what: isKnown
        ? isSameCount
          ? 'values were changed after they were loaded'
          : 'rows of this slice'
        : 'rows of a slice that the ledger does not know',
      expected: isKnown ? String(expected) : '0',
      found: isKnown && isSameCount ? `${found}, with other values` : String(found),
    })
  })
}
