import { selectorText, type CoinChoice } from '../values/coin-selector.ts'
import type { Config } from '../config.ts'
import type { DatasetShape } from '../dataset-shape.ts'
import { DAY_MS, formatDuration } from '../values/duration.ts'
import { orderLabel } from '../order-label.ts'
import { flowYaml } from './flow-yaml.ts'
import type { DatasetOrder } from './read-order.ts'
import { formatUtc } from '../values/utc-date.ts'
import { keysOf, keyUse, type OrderKey } from './order-settings.ts'
import { exampleOf, isNamedMap, isRequired, isSection, type Rows } from './setting.ts'
import { table } from './table.ts'

/** The calls that the orders of the file cost, as comments of one line each. */
export interface InitCosts {
  whole: readonly string[]
  /** By label of the order: `coins`, `market_chart/1h`. */
  orders: Readonly<Record<string, string>>
}

/** The path of the schema in an installed package, relative to the file. */
const SCHEMA_PATH = './node_modules/coinlake/config/config.schema.json'

/**
 * The text of a commented coinlake.yaml that loads without a problem.
 *
 * @param answers the configuration that the file is to have
 */
export function initTemplate(
  answers: Config,
  shapes: readonly DatasetShape[],
  costs: InitCosts = { whole: [], orders: {} },
): string {
  const { profile, baseUrl, monthlyCalls } = answers.source
  const orders = Map.groupBy(answers.datasets, ({ dataset }) => dataset)
  const chosen = [...orders.keys()].flatMap((name) => shapes.find((one) => one.name === name) ?? [])
  const { datasets: _, ...otherRows } = table.rows
  const source = { profile: profile.name, base_url: baseUrl, api_key: '${COINLAKE_API_KEY}' }
  const hasOwnMonthlyCalls = monthlyCalls !== profile.monthlyCalls
  const answered = {
    source: hasOwnMonthlyCalls ? { ...source, monthly_calls: monthlyCalls } : source,
    warehouse: table.rows.warehouseDir.default,
    sinks: table.rows.sinks.default,
  }
  return `# yaml-language-server: $schema=${SCHEMA_PATH}
# This file says what coinlake exports, and where to. Flags and COINLAKE_* in the environment override this file;
# \`coinlake config show\` prints each value and where it came from. Commented lines show the
# default, or an example.

${rowLines(otherRows, answered).join('\n')}

# \`coinlake datasets\` lists all datasets. Histories run over [from, to) in UTC, without \`to\` up to now.
# A dataset with a list of maps has several orders: five coins by the hour, and five hundred by the day.
${costs.whole.map((line) => `# ${line}\n`).join('')}datasets:
${chosen.map((shape) => datasetText(shape, orders.get(shape.name)!, chosen, costs)).join('')}`
}

/** The lines of rows in the file: answered ones as values, all others as comments. */
function rowLines(rows: Rows, answered: Readonly<Record<string, unknown>>): string[] {
  return Object.values(rows).flatMap((row) => {
    const answer = answered[row.key]
    const about = ` # ${aboutOf(row)}`
    if (isSection(row) && answer !== undefined) {
      const inner = rowLines(row.rows, answer as Record<string, unknown>)
      return [`${row.key}:${about}`, ...indented(inner)]
    }
    if (answer !== undefined) return [`${row.key}: ${flowYaml(answer)}${about}`]
    return exampleLines(row).map((line) => `# ${line}`)
  })
}

function exampleLines(row: Rows[string]): string[] {
  const about = ` # ${aboutOf(row)}`
  if (isNamedMap(row)) {
    const [first = '', ...inner] = exampleLines({ ...row.each, key: row.example })
    return [`${row.key}:${about}`, ...indented([first.slice(0, first.indexOf(' #')), ...inner])]
  }
  if (!isSection(row)) {
    // The second mark leaves alternatives commented out when a user uncomments the whole section.
    const mark = row.isAlternative === true ? '# ' : ''
    return [`${mark}${row.key}: ${flowYaml(exampleOf(row))}${about}`]
  }
  const settings = Object.values(row.rows)
  // Required keys are in one line, because they only work together.
  if (settings.some(isRequired)) {
    return [`${row.key}: ${flowYaml(exampleOf(row))}${about}`]
  }
  return [`${row.key}:${about}`, ...indented(settings.flatMap(exampleLines))]
}

/** The first sentence of a row's text, with the words to choose from. */
function aboutOf(row: Rows[string]): string {
  const words = 'json' in row ? row.json['enum'] : undefined
  const about = firstSentence(row.about)
  return Array.isArray(words) ? about.replace(/\.$/, `: ${words.join(' | ')}.`) : about
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}

function datasetText(
  shape: DatasetShape,
  orders: readonly DatasetOrder[],
  chosen: readonly DatasetShape[],
  costs: InitCosts,
): string {
  const costOf = (name: string | null): string | undefined =>
    costs.orders[orderLabel({ dataset: shape.name, name })]
  const granularities = orders.map(({ granularity }) => granularity)
  const isList = granularities.length > 1
  const lines = granularities.flatMap((granularity) => {
    const cost = isList ? costOf(granularity) : undefined
    return cost === undefined ? [] : [`# ${granularity}: ${cost}`]
  })
  const { coins, exchanges, tokens, queries, vsCurrencies, fromMs, toMs, everyMs } = orders[0]!
  const values: Partial<Record<OrderKey, unknown>> = {
    coins: coins !== null && takesCoins(shape, chosen) ? coinsValue(coins) : null,
    exchanges,
    tokens,
    queries,
    vs_currencies: vsCurrencies,
    granularity: isList ? granularities : granularities[0],
    from: fromMs === null ? null : formatUtc(fromMs),
    to: toMs === null ? null : formatUtc(toMs),
    every: formatDuration(writtenEveryMs(shape, everyMs)),
  }
  for (const key of keysOf(shape)) {
    if ((values[key] ?? null) === null) continue
    const hasChoice = key === 'granularity' && shape.granularities.length > 1
    const choices = hasChoice ? ` # ${shape.granularities.join(' | ')}` : ''
    lines.push(`${key}: ${flowYaml(values[key])}${choices}`)
  }
  const about = `  # ${firstSentence(shape.description)}\n`
  const cost = costOf(null)
  const head = `  ${shape.name}:${cost === undefined ? '' : ` # ${cost}`}\n`
  return `${about}${head}${lines.map((line) => `    ${line}\n`).join('')}`
}

/** Whether a dataset gets the coins. A market listing gets them only if no other dataset needs them. */
function takesCoins(shape: DatasetShape, chosen: readonly DatasetShape[]): boolean {
  const use = keyUse(shape, 'coins')
  if (use !== 'optional') return use === 'required'
  return !chosen.some((other) => keyUse(other, 'coins') === 'required')
}

/** Listings that change slowly are read once a day at most. */
function writtenEveryMs({ kind }: DatasetShape, everyMs: number): number {
  return kind === 'catalogue' ? Math.max(everyMs, DAY_MS) : everyMs
}

function firstSentence(text: string): string {
  return (/^[^\n]*?[.](?=\s|$)/.exec(text)?.[0] ?? text).replaceAll('\n', ' ')
}

function coinsValue(coins: CoinChoice): unknown {
  return 'ids' in coins ? coins.ids : selectorText(coins)
}
