import type { Clock } from './clock.ts'
import { throwIfAny, type ConfigProblem } from './config-problem.ts'
import type { CoinChoice, CoinSelector } from './values/coin-selector.ts'
import type { Config } from './config.ts'
import type { DatasetShape } from './dataset-shape.ts'
import { orderLabel } from './order-label.ts'
import { orderFlag } from './settings/dataset-flags.ts'
import { orderRows, type OrderValues } from './settings/order-settings.ts'
import type { DatasetOrder } from './settings/read-order.ts'
import { formatUtc } from './values/utc-date.ts'

/**
 * The orders of a configuration, complete. Keys without a default (coins, the start of a history) are
 * checked here, because only some commands need them.
 *
 * @throws InvalidConfigError CONFIG_NO_DATASETS, CONFIG_MISSING, CONFIG_RANGE, CONFIG_NO_INACTIVE
 */
export function wantedFromConfig(
  config: Config,
  shapes: readonly DatasetShape[],
  clock: Clock,
): ReturnType<typeof wantedOf>[] {
  const problems: ConfigProblem[] = []
  const wanted = config.datasets.flatMap((order) => {
    const shape = shapes.find((one) => one.name === order.dataset)
    if (shape === undefined) return []
    const others = [futureStart(config, order, clock.nowMs()), unlistedCoins(config, order)]
    problems.push(...missingKeys(order, shape), ...others.filter((one) => one !== null))
    return [wantedOf(order, shape)]
  })
  if (wanted.length === 0) {
    problems.push({
      where: config.file,
      code: 'CONFIG_NO_DATASETS',
      what: 'no dataset is asked for',
      hint: 'Add one under `datasets:`, or pass --dataset; `coinlake datasets` lists them.',
    })
  }
  throwIfAny(problems)
  return wanted
}

/** An order as the plan takes it (plan/order.ts). */
function wantedOf(order: DatasetOrder, shape: DatasetShape) {
  const { coins, exchanges, tokens, queries, vsCurrencies, ignore } = order
  const listed = exchanges ?? tokens ?? queries
  const entities = coins === null ? (listed ?? ['']) : coinsOf(coins, shape)
  const isChosen = !('length' in entities)
  return {
    dataset: shape.name,
    entities: isChosen ? entities : entities.filter((id) => !ignore.includes(id)),
    vsCurrencies: vsCurrencies.length === 0 ? [''] : vsCurrencies,
    granularity: order.granularity,
    fromMs: order.fromMs ?? 0,
    toMs: order.toMs,
    everyMs: order.everyMs,
    ...(isChosen && ignore.length > 0 ? { ignore } : {}),
  }
}

/** The coins as ids or a selector; `all` of a market listing is the listing itself. */
function coinsOf(coins: CoinChoice, { entity }: DatasetShape): readonly string[] | CoinSelector {
  if ('ids' in coins) return coins.ids
  return 'all' in coins && entity === null ? [''] : coins
}

function missingKeys(order: DatasetOrder, shape: DatasetShape): ConfigProblem[] {
  return Object.entries(orderRows).flatMap(([name, row]) => {
    const isSaid = order[name as keyof OrderValues] !== null
    if (isSaid || row.use(shape) !== 'required') return []
    const [text] = [row.examples?.[0]].flat()
    const flag = `--${orderFlag(row, shape, {})?.name} ${text}`
    const setting = `${row.key}: ${row.key === 'from' ? text : `[${text}]`}`
    return {
      where: order.origin,
      code: 'CONFIG_MISSING',
      what: `datasets.${orderLabel(order)} does not say \`${row.key}\``,
      hint: `Pass ${flag}, or add \`${setting}\` to the order in the file.`,
    }
  })
}

/** Refuses `inactive` for a profile that lacks it, because its service may list the active coins instead. */
function unlistedCoins({ source, settings, file }: Config, order: DatasetOrder) {
  const { coins } = order
  if (coins === null || !('inactive' in coins) || source.profile.listsInactive) return null
  const path = `datasets.${orderLabel(order)}.coins`
  return {
    where: settings[path]?.origin ?? file,
    code: 'CONFIG_NO_INACTIVE',
    what: `${path} is \`inactive\`, and the profile ${source.profile.name} lists no delisted coins`,
    hint: 'Name the coins by their ids, or use a key of a paid plan with `profile: coingecko-pro`.',
  }
}

function futureStart(config: Config, order: DatasetOrder, nowMs: number) {
  const { fromMs } = order
  if (fromMs === null || fromMs < nowMs) return null
  const path = `datasets.${orderLabel(order)}.from`
  const where = config.settings[path]?.origin ?? config.file
  const subject = where === 'flag --from' ? 'the start' : path
  return {
    where,
    code: 'CONFIG_RANGE',
    what: `${subject} ${formatUtc(fromMs)} lies in the future (now: ${formatUtc(nowMs)})`,
    hint: 'A history starts in the past.',
  }
}
