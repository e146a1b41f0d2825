import type { ConfigFlags } from './config-flags.ts'
import { selectorText } from './coin-selector.ts'
import type { CoinChoice, DatasetConfig } from './config.ts'
import {
  DATASET_KEYS,
  keysOf,
  keyUse,
  type ConfigGranularity,
  type DatasetKey,
  type DatasetShape,
} from './dataset-shape.ts'
import { didYouMean } from './did-you-mean.ts'
import { formatDuration } from './duration.ts'
import {
  parseCoins,
  parseCurrencies,
  parseDate,
  parseEvery,
  parseGranularity,
  parseIds,
  parseQueries,
  parseTokens,
} from './parse-values.ts'
import type { ConfigDocument } from './schema.ts'
import type { RawValue, SettingReader, SettingSpec } from './setting-reader.ts'
import { formatUtc } from './utc-date.ts'
import type { YamlSource } from './yaml-source.ts'

const DEFAULT_EVERY_MS = 86_400_000
const DEFAULT_CURRENCIES = ['usd']

/** The flag that says a key, but for exchanges of derivatives. */
const FLAG_OF = {
  coins: 'coins',
  exchanges: 'exchanges',
  tokens: 'tokens',
  queries: 'queries',
  vs_currencies: 'vs',
  granularity: 'granularity',
  from: 'from',
  to: 'to',
  every: 'every',
} as const satisfies Record<DatasetKey, keyof ConfigFlags>

const OF_DERIVATIVES = 'derivative-exchanges'

/** The `datasets` section, or what `--dataset` chose of it; keys by flag over keys by file. */
export function readDatasets(
  reader: SettingReader,
  source: YamlSource,
  document: ConfigDocument,
  flags: ConfigFlags,
  shapes: readonly DatasetShape[],
): Record<string, DatasetConfig> {
  const inFile = document.datasets ?? {}
  const shapeOf = new Map(shapes.map((shape) => [shape.name, shape]))
  const unknown = (where: string, name: string): void =>
    reader.report(unknownDataset(where, name, shapes))

  for (const name of Object.keys(inFile)) {
    if (!shapeOf.has(name)) unknown(source.whereKey(['datasets', name]), name)
  }
  const chosen = flags.datasets?.flatMap((names) => names.split(',')).map((name) => name.trim())
  for (const name of chosen ?? []) if (!shapeOf.has(name)) unknown('flag --dataset', name)

  const names = new Set(chosen ?? Object.keys(inFile))
  const wanted = [...names].flatMap((name) => shapeOf.get(name) ?? [])
  reportIdleFlags(reader, flags, wanted)
  const datasets: Record<string, DatasetConfig> = {}
  // Sections that --dataset leaves out are read all the same, so that their errors are told.
  for (const shape of [...wanted, ...shapes.filter((one) => !names.has(one.name))]) {
    const isWanted = names.has(shape.name)
    const section = inFile[shape.name]
    if (!isWanted && section === undefined) continue
    const dataset = readDataset(reader, source, shape, section, isWanted ? flags : {})
    if (isWanted) datasets[shape.name] = dataset
  }
  return datasets
}

type Section = NonNullable<ConfigDocument['datasets']>[string]

function readDataset(
  reader: SettingReader,
  source: YamlSource,
  shape: DatasetShape,
  inFile: Section | undefined,
  flags: ConfigFlags,
): DatasetConfig {
  const { name } = shape
  const section = inFile ?? {}
  const origin = inFile === undefined ? 'flag --dataset' : source.originOf(['datasets', name])
  for (const key of DATASET_KEYS) {
    if (section[key] === undefined || keyUse(shape, key) !== 'refused') continue
    reader.report({
      where: source.whereKey(['datasets', name, key]),
      code: 'CONFIG_KEY_NOT_FOR_DATASET',
      what: `datasets.${name} takes no \`${key}\``,
      hint: `${name} takes ${keysOf(shape).join(', ') || 'no keys'}.`,
    })
  }
  const read = <T>(
    key: DatasetKey,
    rest: Pick<SettingSpec<T>, 'fallback' | 'parse' | 'show'>,
  ): T => {
    if (keyUse(shape, key) === 'refused') return rest.fallback
    const flag = flagApplies(shape, key, flags) ? flagOf(shape, key, flags) : undefined
    return reader.read({ path: ['datasets', name, key], flag, inFile: section[key], ...rest })
  }
  const readList = (key: DatasetKey, parse: (value: RawValue) => readonly string[]) =>
    read<readonly string[] | null>(key, {
      fallback: null,
      parse,
      show: (items) => items?.join(', ') ?? 'not said',
    })
  const dataset: DatasetConfig = {
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
      fallback: shape.granularities[0] ?? '',
      parse: (value) => parseGranularity(value, shape.granularities),
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
  }
  checkRange(reader, dataset)
  return dataset
}

function checkRange(reader: SettingReader, { name, fromMs, toMs }: DatasetConfig): void {
  if (fromMs === null || toMs === null || fromMs < toMs) return
  const where = reader.whereOf(['datasets', name, 'from'])
  const whereTo = reader.whereOf(['datasets', name, 'to'])
  const isOfFlags = where === 'flag --from' && whereTo === 'flag --to'
  const subject = isOfFlags ? 'the start' : `datasets.${name}.from`
  reader.report({
    where,
    code: 'CONFIG_RANGE',
    what: `${subject} ${formatUtc(fromMs)} is not before its end ${formatUtc(toMs)} (${whereTo})`,
    hint: '`to` is not included: a single day runs from 2024-01-01 to 2024-01-02.',
  })
}

interface Flag {
  name: string
  value: string | undefined
}

/** Exchanges of derivatives have ids of their own, and a flag of their own. */
function flagOf({ entity }: DatasetShape, key: DatasetKey, flags: ConfigFlags): Flag {
  return key === 'exchanges' && entity === 'derivative_exchange'
    ? { name: OF_DERIVATIVES, value: flags.derivativeExchanges }
    : { name: FLAG_OF[key], value: flags[FLAG_OF[key]] }
}

/** `--granularity 4h` beside a dataset that has no 4h leaves that dataset as the file says. */
function flagApplies(shape: DatasetShape, key: DatasetKey, flags: ConfigFlags): boolean {
  const { value } = flagOf(shape, key, flags)
  if (value === undefined || keyUse(shape, key) === 'refused') return false
  if (key !== 'granularity') return true
  try {
    return parseGranularity(value, shape.granularities) !== undefined
  } catch {
    return false
  }
}

/** A flag that no chosen dataset takes was meant for something: it is never ignored in silence. */
function reportIdleFlags(
  reader: SettingReader,
  flags: ConfigFlags,
  wanted: readonly DatasetShape[],
): void {
  const exchanges = {
    key: 'exchanges',
    name: OF_DERIVATIVES,
    value: flags.derivativeExchanges,
  } as const
  const all = DATASET_KEYS.map((key) => ({ key, name: FLAG_OF[key], value: flags[FLAG_OF[key]] }))
  for (const { key, name, value } of [...all, exchanges]) {
    const isTaken = wanted.some(
      (shape) => flagOf(shape, key, flags).name === name && flagApplies(shape, key, flags),
    )
    if (value === undefined || isTaken) continue
    const names = wanted.map((shape) => shape.name).join(', ') || 'none'
    const offered = new Set(wanted.flatMap((shape) => shape.granularities))
    const isGranularity = key === 'granularity' && offered.size > 0
    reader.report({
      where: `flag --${name}`,
      code: isGranularity ? 'CONFIG_BAD_GRANULARITY' : 'CONFIG_FLAG_UNUSED',
      what: `no dataset takes ${JSON.stringify(value)} (datasets: ${names})`,
      hint: isGranularity
        ? `Choose one of ${[...offered].join(', ')}.`
        : `Leave the flag out, or choose a dataset that takes it with --dataset.${otherFlag(name, wanted)}`,
    })
  }
}

/** Where exchanges were said, of the other kind than the datasets have. */
function otherFlag(name: string, wanted: readonly DatasetShape[]): string {
  const isOfDerivatives = name === OF_DERIVATIVES
  if (!isOfDerivatives && name !== FLAG_OF.exchanges) return ''
  const other = isOfDerivatives ? 'exchange' : 'derivative_exchange'
  const meant = wanted.find(({ entity }) => entity === other)
  if (meant === undefined) return ''
  return ` ${meant.name} takes --${isOfDerivatives ? FLAG_OF.exchanges : OF_DERIVATIVES}.`
}

function unknownDataset(where: string, name: string, shapes: readonly DatasetShape[]) {
  const known = shapes.map((shape) => shape.name)
  const meant = didYouMean(name, known)
  return {
    where,
    code: 'CONFIG_UNKNOWN_DATASET',
    what: `there is no dataset ${JSON.stringify(name)}`,
    hint: meant === null ? `Datasets: ${known.join(', ')}.` : `Did you mean \`${meant}\`?`,
  }
}

function showCoins(choice: CoinChoice | null): string {
  if (choice === null) return 'not said'
  return 'ids' in choice ? choice.ids.join(', ') : selectorText(choice)
}
