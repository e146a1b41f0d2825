import type { ConfigFlags } from '../config-flags.ts'
import type { Granularity, DatasetShape } from '../dataset-shape.ts'
import { granularitiesIn } from './order-kinds.ts'
import { orderRows, type OrderRow } from './order-settings.ts'
import { flagOf, type Flag, type SettingReader } from './setting-reader.ts'

/** The row of exchanges of derivatives, which have other ids and a flag of their own. */
const OF_DERIVATIVES = { ...orderRows.exchanges, flag: 'derivativeExchanges' } as const

/**
 * The flag that sets this key in all orders of a dataset, given or not; null = the dataset takes none. Also null for
 * `granularity`, because `--granularity` chooses between orders.
 */
export function orderFlag(row: OrderRow, shape: DatasetShape, flags: ConfigFlags): Flag | null {
  if (row.use(shape) === 'refused' || row.key === 'granularity') return null
  const isOfDerivatives = row.key === 'exchanges' && shape.entity === 'derivative_exchange'
  return flagOf(isOfDerivatives ? OF_DERIVATIVES : row, flags)
}

/**
 * The granularities of `--granularity` (csv) that a dataset offers, in the flag's order; [] = the flag does not apply.
 */
export function flagGranularities(
  { granularities }: Pick<DatasetShape, 'granularities'>,
  { granularity = '' }: ConfigFlags,
): Granularity[] {
  const given = granularity.split(',').flatMap((text) => granularitiesIn(text, granularities) ?? [])
  return [...new Set(given)]
}

/** Reports flags that no chosen dataset takes, because a flag is never ignored silently. */
export function reportUnusedFlags(reader: SettingReader, wanted: readonly DatasetShape[]): void {
  const { flags } = reader
  const rows = [...Object.values(orderRows), OF_DERIVATIVES]
  const said = rows.flatMap((row) => flagOf(row, flags) ?? [])
  const names = wanted.map((shape) => shape.name).join(', ') || 'none'
  const offered = new Set(wanted.flatMap((shape) => shape.granularities))
  for (const { name, value } of said) {
    const isGranularity = name === 'granularity'
    for (const text of isGranularity ? (value?.split(',') ?? []) : [value]) {
      const isTaken = wanted.some((shape) =>
        isGranularity
          ? flagGranularities(shape, { granularity: text }).length > 0
          : Object.values(orderRows).some((row) => orderFlag(row, shape, flags)?.name === name),
      )
      if (text === undefined || isTaken) continue
      const isBadGranularity = isGranularity && offered.size > 0
      reader.report({
        where: `flag --${name}`,
        code: isBadGranularity ? 'CONFIG_BAD_GRANULARITY' : 'CONFIG_FLAG_UNUSED',
        what: `no dataset takes ${JSON.stringify(text)} (datasets: ${names})`,
        hint: isBadGranularity
          ? `Choose one of ${[...offered].join(', ')}.`
          : 'Leave the flag out, or choose a dataset that takes it with --dataset.',
      })
    }
  }
}
