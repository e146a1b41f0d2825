import type { FaultyExport } from './export-under-faults.ts'

/** The fault that stays in the presets; drawn once for a request, it is met by all its askings. */
const HOPELESS = 'html'

/** The losses that an export names, and the faults of its service. */
export async function namedLosses({ connection, store, requests }: FaultyExport) {
  const rows = async (sql: string): Promise<unknown[][]> =>
    (await connection.runAndReadAll(sql)).getRowsJS()
  const failed = await rows(`SELECT slice_id FROM ${store}._slices WHERE state = 'failed'`)
  const quarantined = await rows(
    `SELECT slice_id, count(*)::INTEGER FROM ${store}._quarantine WHERE ended_at IS NULL GROUP BY ALL`,
  )
  const failedUrls = await rows(
    `SELECT DISTINCT last_url FROM (
       SELECT arg_max(r.url, r.requested_at) AS last_url FROM ${store}._requests r
       JOIN ${store}._slices s USING (run_id, slice_id) WHERE s.state = 'failed' GROUP BY slice_id)`,
  )
  const askings = Map.groupBy(requests, ({ path, query }) => `${path}?${query}`)
  const hopeless = [...askings].filter(
    ([, asked]) =>
      asked.every(({ injected }) => injected?.includes(HOPELESS) === true) && asked.length > 1,
  )
  const nulled = new Set(
    requests
      .filter(({ injected }) => injected?.includes('nulls') === true)
      .map(({ path, query }) => pathOf(`http://x${path}?${query}`)),
  )
  const pages = await rows(`SELECT slice_id, url FROM ${store}._requests`)
  return {
    /** Slices that failed. */
    failed: new Set(failed.map(([id]) => String(id))),
    /** Slices with rows set aside, and how many. */
    quarantined: new Map(quarantined.map(([id, count]) => [String(id), Number(count)])),
    /** Paths of the requests that failed slices name, in order. */
    failedUrls: failedUrls.map(([url]) => pathOf(String(url))).sort(),
    /** Slices with an answer in which something was nulled. */
    nulledSlices: new Set(
      pages.filter(([, url]) => nulled.has(pathOf(String(url)))).map(([id]) => String(id)),
    ),
    /** Paths of the requests whose every answer was of a fault that stays. */
    hopelessUrls: hopeless.map(([url]) => pathOf(`http://x${url}`)).sort(),
  }
}

/** Path and parameters, decoded. */
function pathOf(text: string): string {
  const url = new URL(text)
  return `${url.pathname}?${new URLSearchParams(url.search).toString()}`
}
