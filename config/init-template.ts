import type { ConfigGranularity, DatasetShape } from './dataset-shape.ts'
import { keyUse } from './dataset-shape.ts'
import { profiles, type ProfileName } from './profiles.ts'

/** What `coinlake init` asks or takes from flags. Texts are written as they are given. */
export interface InitAnswers {
  profile: ProfileName
  baseUrl: string
  /** Ids, or one selector. */
  coins: readonly string[]
  vsCurrencies: readonly string[]
  granularity: ConfigGranularity
  /** YYYY-MM-DD, UTC. */
  from: string
  /** Names, in the order they are to be written. */
  datasets: readonly string[]
  exchanges?: readonly string[]
}

/** Where an installed package keeps the schema, as seen from the folder of the file. */
const SCHEMA_PATH = './node_modules/coinlake/config/config.schema.json'
const DEFAULT_EXCHANGES = ['binance', 'kraken']
const EXAMPLE_TOKENS = ['ethereum/0xdac17f958d2ee523a2206206994597c13d831ec7']
const EXAMPLE_QUERIES = ['bitcoin']

/** The text of a commented coinlake.yaml that loads without a problem. */
export function initTemplate(answers: InitAnswers, shapes: readonly DatasetShape[]): string {
  const profile = profiles[answers.profile]
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
  # monthly_calls: 10000
  # timeout: 30s
  # concurrency: 8

warehouse: ./warehouse # relative to this file
sinks: [duckdb, parquet] # what readers open: coinlake.duckdb, and parquet/<table>/

# stage:
#   keep: forever # raw answers after their load: forever, none, or a duration such as 30d
# parquet:
#   version: v2 # v1 for readers such as Spark before 4

# \`coinlake datasets\` lists them. Histories run over [from, to) in UTC; without \`to\` up to now.
datasets:
${chosen.map((shape) => datasetText(shape, answers)).join('')}`
}

function datasetText(shape: DatasetShape, answers: InitAnswers): string {
  const lines: string[] = []
  if (keyUse(shape, 'coins') === 'required') lines.push(`coins: ${coinsText(answers.coins)}`)
  if (keyUse(shape, 'exchanges') === 'required') {
    lines.push(`exchanges: ${yamlList(answers.exchanges ?? DEFAULT_EXCHANGES)}`)
  }
  if (keyUse(shape, 'tokens') === 'required') lines.push(`tokens: ${yamlList(EXAMPLE_TOKENS)}`)
  if (keyUse(shape, 'queries') === 'required') lines.push(`queries: ${yamlList(EXAMPLE_QUERIES)}`)
  if (keyUse(shape, 'vs_currencies') !== 'refused') {
    lines.push(`vs_currencies: ${yamlList(answers.vsCurrencies)}`)
  }
  const [first, ...others] = shape.granularities
  if (first !== undefined) {
    const isOffered = shape.granularities.includes(answers.granularity)
    const choices = others.length > 0 ? ` # ${shape.granularities.join(' | ')}` : ''
    lines.push(`granularity: ${isOffered ? answers.granularity : first}${choices}`)
  }
  if (keyUse(shape, 'from') === 'required') lines.push(`from: ${answers.from}`)
  if (keyUse(shape, 'every') === 'optional') lines.push('every: 1d')
  const about = shape.description === undefined ? '' : `  # ${firstSentence(shape.description)}\n`
  return `${about}  ${shape.name}:\n${lines.map((line) => `    ${line}\n`).join('')}`
}

function firstSentence(text: string): string {
  return (/^[^\n]*?[.](?=\s|$)/.exec(text)?.[0] ?? text).replaceAll('\n', ' ')
}

function coinsText(coins: readonly string[]): string {
  const [first, ...others] = coins
  return first?.startsWith('top:') === true && others.length === 0 ? first : yamlList(coins)
}

function yamlList(items: readonly string[]): string {
  return `[${items.map(yamlText).join(', ')}]`
}

/** Plain where YAML and people agree on what it is; else quoted as JSON, which YAML reads too. */
function yamlText(text: string): string {
  return /^[a-z][a-z0-9_-]*$/.test(text) ? text : JSON.stringify(text)
}
