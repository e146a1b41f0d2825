import { selectorText } from './coin-selector.ts'
import type { ConfigFlags } from './config-flags.ts'
import type { CoinChoice, DatasetOrder } from './config.ts'
import { flagApplies, flagOf } from './dataset-flags.ts'
import {
  DATASET_KEYS,
  keysOf,
  keyUse,
  type ConfigGranularity,
  type DatasetKey,
} from './dataset-shape.ts'
import { formatDuration } from './duration.ts'
import type { OrderDraft } from './order-drafts.ts'
import { orderLabel } from './order-label.ts'
import {
  parseCoins,
  parseCurrencies,
  parseDate,
  parseEvery,
  parseGranularities,
  parseIds,
  parseQueries,
  parseTokens,
} from './parse-values.ts'
import type { RawValue, SettingReader, SettingSpec } from './setting-reader.ts'
import { formatUtc } from './utc-date.ts'
import type { YamlSource } from './yaml-source.ts'

const DEFAULT_EVERY_MS = 86_400_000
const DEFAULT_CURRENCIES = ['usd']

/** One order: keys by flag over keys by file. */
export function readOrder(
  reader: SettingReader,
  source: YamlSource,
  draft: OrderDraft,
  flags: ConfigFlags,
): DatasetOrder {
  const { shape, section, path, name, origin, granularityFlag } = draft
  const label = orderLabel({ dataset: shape.name, name })
  for (const key of DATASET_KEYS) {
    if (section[key] === undefined || keyUse(shape, key) !== 'refused') continue
    reader.report({
      where: source.whereKey([...path, key]),
      code: 'CONFIG_KEY_NOT_FOR_DATASET',
      what: `datasets.${label} takes no \`${key}\``,
      hint: `${shape.name} takes ${keysOf(shape).join(', ') || 'no keys'}.`,
    })
  }
  const read = <T>(
    key: DatasetKey,
    rest: Pick<SettingSpec<T>, 'fallback' | 'parse' | 'show' | 'flag'>,
  ): T => {
    if (keyUse(shape, key) === 'refused') return rest.fallback
    const flag = flagApplies(shape, key, flags) ? flagOf(shape, key, flags) : undefined
    const setting = { path: [...path, key], name: `datasets.${label}.${key}` }
    return reader.read({ ...setting, flag, inFile: section[key], ...rest })
  }
  const readList = (key: DatasetKey, parse: (value: RawValue) => readonly string[]) =>
    read<readonly string[] | null>(key, {
      fallback: null,
      parse,
      show: (items) => items?.join(', ') ?? 'not said',
    })
  const order: DatasetOrder = {
    dataset: shape.name,
    name,
    origin,
    coins: read<CoinChoice | null>('coins', { fallback: null, parse: parseCoins, show: showCoins }),
    exchanges: readList('exchanges', parseIds),
    tokens: readList('tokens', parseTokens),
    queries: readList('queries', parseQueries),
    vsCurrencies: read<readonly string[]>('vs_currencies', {
      fallback: shape.perCurrency ? DEFAULT_CURRENCIES : [],
      parse: parseCurrencies,
      show: (codes) => codes.join(', '),
    }),
    granularity: read<ConfigGranularity | ''>('granularity', {
      flag: granularityFlag === null ? undefined : { name: 'granularity', value: granularityFlag },
      fallback: draft.granularity,
      parse(value, givenBy) {
        if (givenBy === 'file') parseGranularities(value, shape.granularities)
        return draft.granularity
      },
      show: String,
    }),
    fromMs: read<number | null>('from', {
      fallback: null,
      parse: parseDate,
      show: (ms) => (ms === null ? 'not said' : formatUtc(ms)),
    }),
    toMs: read<number | null>('to', {
      fallback: null,
      parse: parseDate,
      show: (ms) => (ms === null ? 'now' : formatUtc(ms)),
    }),
    everyMs: read<number>('every', {
      fallback: keyUse(shape, 'every') === 'refused' ? 0 : DEFAULT_EVERY_MS,
      parse: parseEvery,
      show: formatDuration,
    }),
    ignore: readList('ignore', parseIds) ?? [],
  }
  checkRange(reader, draft, order)
  return order
}

function checkRange(reader: SettingReader, { path }: OrderDraft, order: DatasetOrder): void {
  const { fromMs, toMs } = order
  if (fromMs === null || toMs === null || fromMs < toMs) return
  const where = reader.whereOf([...path, 'from'])
  const whereTo = reader.whereOf([...path, 'to'])
  const isOfFlags = where === 'flag --from' && whereTo === 'flag --to'
  const subject = isOfFlags ? 'the start' : `datasets.${orderLabel(order)}.from`
  reader.report({
    where,
    code: 'CONFIG_RANGE',
    what: `${subject} ${formatUtc(fromMs)} is not before its end ${formatUtc(toMs)} (${whereTo})`,
    hint: '`to` is not included: a single day runs from 2024-01-01 to 2024-01-02.',
  })
}

function showCoins(choice: CoinChoice | null): string {
  if (choice === null) return 'not said'
  return 'ids' in choice ? choice.ids.join(', ') : selectorText(choice)
}
