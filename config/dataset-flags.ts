import type { ConfigFlags } from './config-flags.ts'
import {
  DATASET_KEYS,
  keyUse,
  type ConfigGranularity,
  type DatasetKey,
  type DatasetShape,
} from './dataset-shape.ts'
import { parseGranularity } from './parse-values.ts'
import { BadValue, type SettingReader } from './setting-reader.ts'

/** Only the file says what is ignored. */
type FlagKey = Exclude<DatasetKey, 'ignore'>

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
} as const satisfies Record<FlagKey, keyof ConfigFlags>

const OF_DERIVATIVES = 'derivative-exchanges'

interface Flag {
  name: string
  value: string | undefined
}

/** Exchanges of derivatives have ids of their own, and a flag of their own. */
export function flagOf({ entity }: DatasetShape, key: DatasetKey, flags: ConfigFlags): Flag {
  if (key === 'ignore') return { name: key, value: undefined }
  return key === 'exchanges' && entity === 'derivative_exchange'
    ? { name: OF_DERIVATIVES, value: flags.derivativeExchanges }
    : { name: FLAG_OF[key], value: flags[FLAG_OF[key]] }
}

/** Whether a flag says a key for every order of a dataset; `--granularity` chooses among orders instead. */
export function flagApplies(shape: DatasetShape, key: DatasetKey, flags: ConfigFlags): boolean {
  const { value } = flagOf(shape, key, flags)
  return value !== undefined && keyUse(shape, key) !== 'refused' && key !== 'granularity'
}

/** Granularities of `--granularity` (csv) that a dataset offers, in that order: `4h` leaves a dataset without 4h as the file says. */
export function flagSteps(
  { granularities }: Pick<DatasetShape, 'granularities'>,
  { granularity = '' }: ConfigFlags,
): ConfigGranularity[] {
  const steps = granularity.split(',').flatMap((text) => {
    try {
      return [parseGranularity(text, granularities)]
    } catch (error) {
      if (!(error instanceof BadValue)) throw error
      return []
    }
  })
  return [...new Set(steps)]
}

/** A flag that no chosen dataset takes was meant for something: it is never ignored in silence. */
export function reportIdleFlags(
  reader: SettingReader,
  flags: ConfigFlags,
  wanted: readonly DatasetShape[],
): void {
  const exchanges = {
    key: 'exchanges',
    name: OF_DERIVATIVES,
    value: flags.derivativeExchanges,
  } as const
  const steps = flags.granularity?.split(',') ?? []
  const keys = DATASET_KEYS.filter((key) => key !== 'granularity' && key !== 'ignore')
  const all = keys.map((key) => ({ key, name: FLAG_OF[key], value: flags[FLAG_OF[key]] }))
  const ofSteps = steps.map(
    (value) => ({ key: 'granularity', name: 'granularity', value }) as const,
  )
  for (const { key, name, value } of [...all, exchanges, ...ofSteps]) {
    const isTaken = wanted.some((shape) =>
      key === 'granularity'
        ? flagSteps(shape, { granularity: value }).length > 0
        : flagOf(shape, key, flags).name === name && flagApplies(shape, key, flags),
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
