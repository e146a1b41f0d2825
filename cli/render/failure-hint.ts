/** The hints for failed slices, by the code in the ledger, which keeps no hints. */
const HINTS: Readonly<Record<string, string>> = {
  SOURCE_BAD_REQUEST: 'Check the ids, currencies and dates that were asked for.',
  SOURCE_NOT_FOUND:
    'Ids are like `bitcoin` or `binance`, not the symbol or the name: `coinlake get coins` lists them, or `get` of exchanges, derivative_exchanges, asset_platforms. Later runs are complete without it; `ignore: [id]` in its order takes it out of reports.',
  SOURCE_REDIRECTED:
    'Set source.base_url to where the service lives now: redirects to another host are not followed, as the key would go there, nor is a chain of more than three.',
  SOURCE_PLAN:
    'Ask for a range inside the plan of your key (set a later `from`), or use a key of a larger plan.',
  SOURCE_TOO_LARGE:
    'Raise source.max_body if such an answer is expected; asking again brings the same answer.',
  SOURCE_DATA:
    'The service answers in another shape than its interface; check source.base_url and source.profile.',
  WRONG_GRANULARITY:
    'The service gives other points than were asked for: ask for another granularity, and report it to its owner.',
  LISTING_REPEATS:
    'The service does not page this listing: name the coins by their ids, and report it to its owner.',
  LISTING_ENDLESS:
    'The service does not page this listing as its interface says: report it to its owner.',
  BAD_PARAM: 'No URL can carry this id (. or ..): take it out of the configuration.',
  DATASET_GONE:
    'Take it out of coinlake.yaml and run `coinlake schedule apply`, or start the worker with the coinlake that has it.',
  NOT_ASKED_AGAIN:
    'See table _slices for why it failed; `coinlake backfill` asks at once, `ignore: [id]` takes the id out.',
  BUCKET_MISSED: 'A snapshot shows its own moment only; the next one is taken as usual.',
}

const AGAIN = 'Run the same command again: only what failed is fetched.'

export function failureHint(code: string): string {
  return HINTS[code] ?? AGAIN
}
