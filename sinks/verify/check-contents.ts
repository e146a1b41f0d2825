import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteText } from '../../datasets/table/ddl.ts'
import { contentsTable } from '../ledger/contents.ts'
import { rowFingerprint } from '../ledger/row-fingerprint.ts'
import { sliceOf } from '../duckdb-store/ledger/slice-rows.ts'
import { difference, type Difference, type VerifyContext } from './verify-source.ts'

/**
 * Compares the rows of each slice with those that the loads wrote: number and fingerprint. Fingerprints count only if
 * the same DuckDB made both. Rows of a slice that is not in the ledger are `unknown_slice`.
 */
export async function checkContents(
  context: VerifyContext,
  table: TableSpec,
): Promise<Difference[]> {
  const { source } = context
  const relation = source.relation(table)
  if (relation === null) return []
  const rows = await source.rows(
    `WITH expected AS (
       SELECT slice_id, load_id, sum(row_count)::BIGINT AS row_count,
         bit_xor(fingerprint::UBIGINT) AS fingerprint, bool_and(engine = version()) AS comparable
       FROM ${source.ledger(contentsTable.name)} WHERE table_name = ${quoteText(table.name)}
       GROUP BY ALL
     ), found AS (
       SELECT slice_id, load_id, count(*) AS row_count,
         bit_xor(${rowFingerprint(table, 't')}) AS fingerprint
       FROM ${relation} t GROUP BY ALL
     ), held AS (
       SELECT slice_id, coalesce(e.row_count, 0) AS expected, coalesce(f.row_count, 0) AS found,
         coalesce(comparable, true)
           AND coalesce(e.fingerprint, 0) <> coalesce(f.fingerprint, 0) AS changed
       FROM expected e FULL JOIN found f USING (slice_id, load_id)
     ), slices AS (
       SELECT DISTINCT ON (slice_id) slice_id, dataset, entity, vs_currency, granularity,
         epoch_ms(from_at) AS from_ms, epoch_ms(to_at) AS to_ms
       FROM ${source.ledger('_slices')} WHERE state <> 'planned'
     )
     SELECT slice_id, sum(expected)::BIGINT AS expected, sum(h.found)::BIGINT AS found,
       sum(greatest(expected - h.found, 0))::BIGINT AS missing, any_value(s.dataset) AS dataset,
       any_value(entity) AS entity, any_value(vs_currency) AS vs_currency,
       any_value(granularity) AS granularity, any_value(from_ms) AS from_ms, any_value(to_ms) AS to_ms
     FROM held h LEFT JOIN slices s USING (slice_id)
     GROUP BY slice_id
     HAVING bool_or(expected <> h.found OR changed) OR (any_value(s.dataset) IS NULL AND sum(h.found) > 0)
     ORDER BY slice_id`,
  )
  return rows.map((row) => {
    const [expected, found] = [Number(row['expected']), Number(row['found'])]
    const isKnown = row['dataset'] !== null
    const isSameCount = expected === found && Number(row['missing']) === 0
    return difference(context, {
      check: isKnown ? 'rows' : 'unknown_slice',
      table: table.name,
      sliceId: String(row['slice_id']),
      slice: isKnown ? sliceOf(row) : null,
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
