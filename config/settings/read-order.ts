import type { ConfigFlags } from '../config-flags.ts'
import { orderLabel, type LabelledOrder } from '../order-label.ts'
import { formatUtc } from '../values/utc-date.ts'
import { orderFlag } from './dataset-flags.ts'
import { labelOf, type OrderDraft } from './order-drafts.ts'
import { parseGranularities } from './order-kinds.ts'
import { keysOf, orderRows, type OrderRow, type OrderValues } from './order-settings.ts'
import type { Override, SettingReader } from './setting-reader.ts'

/** The place of an order whose dataset the command names and the file lacks. */
export const COMMAND_LINE = 'command line'

/** One order of a dataset, merged from file, flags and defaults. Times are epoch milliseconds UTC. */
export interface DatasetOrder extends OrderValues, LabelledOrder {
  /** The place of the order: `coinlake.yaml:6` or COMMAND_LINE. */
  origin: string
}

export function readOrder(
  reader: SettingReader,
  draft: OrderDraft,
  flags: ConfigFlags,
): DatasetOrder {
  const { shape, path, name, origin } = draft
  const rows = Object.entries(orderRows)
  const values = rows.map(([key, row]) => [key, readKey(reader, draft, row, flags)])
  const order: DatasetOrder = {
    dataset: shape.name,
    name,
    origin,
    ...(Object.fromEntries(values) as OrderValues),
  }
  checkRange(reader, path, order)
  return order
}

function readKey(
  reader: SettingReader,
  draft: OrderDraft,
  row: OrderRow,
  flags: ConfigFlags,
): unknown {
  const { shape, path, granularity, granularityFlag } = draft
  const label = labelOf(draft)
  if (row.use(shape) === 'refused') {
    if (reader.inFile([...path, row.key]) === undefined) return row.unused
    reader.report({
      where: reader.source.whereKey([...path, row.key]),
      code: 'CONFIG_KEY_NOT_FOR_DATASET',
      what: `datasets.${label} takes no \`${row.key}\``,
      hint: `${shape.name} takes ${keysOf(shape).join(', ') || 'no keys'}.`,
    })
    return row.unused
  }
  const name = `datasets.${label}.${row.key}`
  if (row.key !== 'granularity') {
    const flag = orderFlag(row, shape, flags)
    return reader.read<unknown>(row, path, { name, flag }) ?? row.unused
  }
  // A file may list several granularities; the draft has chosen the one of this order.
  const ofDraft: Override<unknown> = {
    name,
    flag: granularityFlag === null ? null : { name: 'granularity', value: granularityFlag },
    fallback: granularity,
    parse: (value, { by }) =>
      by === 'file'
        ? parseGranularities(value, shape.granularities).find((one) => one === granularity)
        : granularity,
  }
  return reader.read<unknown>(row, path, ofDraft)
}

function checkRange(reader: SettingReader, path: OrderDraft['path'], order: DatasetOrder): void {
  const { fromMs, toMs } = order
  if (fromMs === null || toMs === null || fromMs < toMs) return
  const where = reader.whereOf([...path, 'from'])
  const whereTo = reader.whereOf([...path, 'to'])
  const isOfFlags = where === 'flag --from' && whereTo === 'flag --to'
  const subject = isOfFlags ? 'the start' : `datasets.${orderLabel(order)}.from`
  reader.report({
    where,
    code: 'CONFIG_RANGE',
    what: `${subject} ${formatUtc(fromMs)} must be before its end ${formatUtc(toMs)} (${whereTo})`,
    hint: '`to` is not included: a single day runs from 2024-01-01 to 2024-01-02.',
  })
}
