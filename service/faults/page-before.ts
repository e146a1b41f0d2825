import type { Meeting } from './fault-kind.ts'

/** The body of the page before the one that is asked for; null where there is none. */
export async function pageBefore({
  operation,
  params,
  again,
}: Meeting): Promise<Uint8Array | null> {
  const page = Number(params['page'] ?? '1')
  if (operation.paging.kind === 'none' || !(page > 1)) return null
  return again({ page: String(page - 1) })
}
