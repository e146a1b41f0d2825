import { selectorText } from './coin-selector.ts'
import type { CoinChoice } from './config.ts'
import type { ConfigGranularity, DatasetKey, DatasetShape } from './dataset-shape.ts'
import { keyUse } from './dataset-shape.ts'
import { formatDuration } from './duration.ts'
import { orderLabel } from './order-label.ts'
import { profiles, type ProfileName } from './profiles.ts'

/** What `coinlake init` asks or takes from flags. Texts are written as they are given. */
export interface InitAnswers {
  profile: ProfileName
  baseUrl: string
  /** null = the profile's, or not known. */
  monthlyCalls: number | null
  /** Names, in the order they are to be written. */
  datasets: readonly string[]
  /** Of the datasets that need coins; of those that may have them only where none needs them. */
  coins: CoinChoice | null
  /** By dataset: exchanges of derivatives have other ids. */
  exchanges: Readonly<Record<string, readonly string[]>>
  tokens: readonly string[]
  queries: readonly string[]
  vsCurrencies: readonly string[]
  /** A dataset takes all that it offers, an order each, else its own default. */
  granularities: readonly ConfigGranularity[]
  /** YYYY-MM-DD or an ISO time, UTC. */
  from: string
  /** null = up to now. */
  to: string | null
  everyMs: number
}

/** What the file costs, as comments of one line each. */
export interface InitCosts {
  whole: readonly string[]
  /** By label of the order: `coins`, `market_chart/1h`. */
  orders: Readonly<Record<string, string>>
}

/** Where an installed package keeps the schema, as seen from the folder of the file. */
const SCHEMA_PATH = './node_modules/coinlake/config/config.schema.json'
const DAY_MS = 86_400_000

/** The text of a commented coinlake.yaml that loads without a problem. */
export function initTemplate(
  answers: InitAnswers,
  shapes: readonly DatasetShape[],
  costs: InitCosts = { whole: [], orders: {} },
): string {
  const profile = profiles[answers.profile]
  const { monthlyCalls } = answers
  const chosen = answers.datasets.flatMap((name) => shapes.find((one) => one.name === name) ?? [])
  return `# yaml-language-server: $schema=${SCHEMA_PATH}
# What coinlake exports, and where to. Flags and COINLAKE_* in the environment go before this file;
# \`coinlake config show\` prints each value and where it came from.

source:
  profile: ${profile.name} # ${Object.keys(profiles).join(' | ')}
  base_url: ${yamlText(answers.baseUrl)} # https, or http on this machine only
  # The key is taken from the environment${profile.isKeyRequired ? '' : ' (this service answers without one, too)'}.
  api_key: "\${COINLAKE_API_KEY}"
  # api_key_file: ./coinlake.key            # instead of api_key
  # rate: { calls: 30, per: 1m }            # default: the service's own headers
  ${monthlyCalls === null ? `# monthly_calls: ${profile.monthlyCalls ?? 10_000}` : `monthly_calls: ${monthlyCalls}`}
  # monthly_reserve: ${Math.floor((monthlyCalls ?? profile.monthlyCalls ?? 10_000) / 10)} # of them, kept for what is not a backfill
  # timeout: 30s
  # max_body: 64MiB # a larger answer fails its slice
  # concurrency: 16 # requests in flight at once

warehouse: ./warehouse # relative to this file
sinks: [duckdb, parquet] # what readers open: coinlake.duckdb, and parquet/<table>/

# stage:
#   keep: forever # raw answers after their load: forever, none, or a duration such as 30d
# publish:
#   every: 15m # readers see what a long run has loaded so far; end = at its end only
# parquet:
#   version: v2 # v1 for readers such as Spark before 4
#   at: s3://bucket/tree # instead of parquet/ in the warehouse
# schedules: # kept by \`coinlake schedule apply\` and \`coinlake worker\`
#   daily:
#     at: "01:05" # UTC: the close of a day is there by 00:40, and final an hour after midnight
# freshness:
#   ${answers.datasets[0] ?? 'DATASET'}: 2d # older is stale: \`coinlake status --check\`
# alerts:
#   webhook: "\${COINLAKE_ALERT_WEBHOOK}" # or command: [program, argument]
#   on: [partial, failed, stale, recovered]
# metrics:
#   prometheus: 9464 # /metrics on 127.0.0.1 while a process works
# log:
#   format: text # json: the lines of the log on stderr

# \`coinlake datasets\` lists them. Histories run over [from, to) in UTC; without \`to\` up to now. A list of
# such maps are several orders of a dataset: five coins by the hour, and five hundred by the day.
${costs.whole.map((line) => `# ${line}\n`).join('')}datasets:
${chosen.map((shape) => datasetText(shape, answers, chosen, costs)).join('')}`
}

function datasetText(
  shape: DatasetShape,
  answers: InitAnswers,
  chosen: readonly DatasetShape[],
  costs: InitCosts,
): string {
  const steps = answers.granularities.filter((one) => shape.granularities.includes(one))
  const costOf = (name: string | null): string | undefined =>
    costs.orders[orderLabel({ dataset: shape.name, name })]
  const ofSteps = steps.length > 1 ? steps : []
  const lines = ofSteps.flatMap((step) => {
    const cost = costOf(step)
    return cost === undefined ? [] : [`# ${step}: ${cost}`]
  })
  const isTaken = (key: DatasetKey): boolean => keyUse(shape, key) !== 'refused'
  if (answers.coins !== null && takesCoins(shape, chosen)) {
    lines.push(`coins: ${coinsText(answers.coins)}`)
  }
  if (isTaken('exchanges'))
    lines.push(`exchanges: ${yamlList(answers.exchanges[shape.name] ?? [])}`)
  if (isTaken('tokens')) lines.push(`tokens: ${yamlList(answers.tokens)}`)
  if (isTaken('queries')) lines.push(`queries: ${yamlList(answers.queries)}`)
  if (isTaken('vs_currencies')) lines.push(`vs_currencies: ${yamlList(answers.vsCurrencies)}`)
  const [first, ...others] = shape.granularities
  if (first !== undefined) {
    const answered = steps.length > 1 ? `[${steps.join(', ')}]` : (steps[0] ?? first)
    const choices = others.length > 0 ? ` # ${shape.granularities.join(' | ')}` : ''
    lines.push(`granularity: ${answered}${choices}`)
  }
  if (isTaken('from')) lines.push(`from: ${answers.from}`)
  if (isTaken('to') && answers.to !== null) lines.push(`to: ${answers.to}`)
  if (isTaken('every')) lines.push(`every: ${formatDuration(everyOf(shape, answers.everyMs))}`)
  const about = shape.description === undefined ? '' : `  # ${firstSentence(shape.description)}\n`
  const cost = costOf(null)
  const head = `  ${shape.name}:${cost === undefined ? '' : ` # ${cost}`}\n`
  return `${about}${head}${lines.map((line) => `    ${line}\n`).join('')}`
}

/** Coins narrow a listing of the market only where they were not chosen for something else. */
function takesCoins(shape: DatasetShape, chosen: readonly DatasetShape[]): boolean {
  const use = keyUse(shape, 'coins')
  if (use !== 'optional') return use === 'required'
  return !chosen.some((other) => keyUse(other, 'coins') === 'required')
}

/** What changes slowly is read once a day at most. */
function everyOf({ kind }: DatasetShape, everyMs: number): number {
  return kind === 'catalogue' ? Math.max(everyMs, DAY_MS) : everyMs
}

function firstSentence(text: string): string {
  return (/^[^\n]*?[.](?=\s|$)/.exec(text)?.[0] ?? text).replaceAll('\n', ' ')
}

function coinsText(coins: CoinChoice): string {
  return 'ids' in coins ? yamlList(coins.ids) : yamlText(selectorText(coins))
}

function yamlList(items: readonly string[]): string {
  return `[${items.map(yamlText).join(', ')}]`
}

/** Plain where YAML and people agree on what it is; else quoted as JSON, which YAML reads too. */
function yamlText(text: string): string {
  return /^([a-z][a-z0-9_-]*|top:[0-9]+|category:[a-z0-9_-]+)$/.test(text)
    ? text
    : JSON.stringify(text)
}
