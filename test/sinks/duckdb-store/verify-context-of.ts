import { quoteName } from '../../../datasets/table/ddl.ts'
import type { Store } from '../../../sinks/duckdb-store/open-store.ts'
import type { VerifyContext } from '../../../sinks/verify/verify-source.ts'
import { DATASETS } from './test-dataset.ts'

/** A store under test, as a verification sees it. */
export function verifyContextOf(store: Pick<Store, 'query'>): VerifyContext {
  return {
    place: 'store',
    datasets: DATASETS,
    source: {
      rows: (sql) => store.query(sql),
      relation: ({ name }) => quoteName(name),
      ledger: quoteName,
    },
  }
}
