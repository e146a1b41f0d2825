import type { Granularity, DatasetShape } from '../dataset-shape.ts'
import { type LabelledOrder, orderLabel } from '../order-label.ts'
import { isRecord } from '../values/is-record.ts'
import type { RawValue } from './kind.ts'
import { granularitiesIn } from './order-kinds.ts'
import { orderNameRow, orderRows } from './order-settings.ts'
import type { SettingReader } from './setting-reader.ts'
import type { ConfigPath } from './yaml-source.ts'

/** An order with only its name and granularity read yet, which identify it among the orders of its dataset. */
export interface OrderDraft extends Pick<LabelledOrder, 'name'> {
  shape: DatasetShape
  /** The name in the file, without the granularity that `name` may add. */
  nameInFile: string | null
  granularity: Granularity | ''
  /** The path of the order's map. A map with several granularities makes several orders. */
  path: ConfigPath
  origin: string
  /** The granularity for which `--granularity` made this order; null = that flag did not make it. */
  granularityFlag: string | null
}

export function labelOf({ shape, name }: OrderDraft): string {
  return orderLabel({ dataset: shape.name, name })
}

/** The orders of a dataset in the file. If there are several, each gets a name. */
export function draftOrders(reader: SettingReader, shape: DatasetShape): OrderDraft[] {
  const path = ['datasets', shape.name]
  const inFile = reader.inFile(path)
  const paths = Array.isArray(inFile) ? inFile.map((_, place) => [...path, place]) : [path]
  const drafts = paths.flatMap((path) => {
    if (!isRecord(reader.inFile(path))) return []
    const steps = stepsOf(reader, shape, path)
    const isNamed = reader.inFile([...path, 'name']) !== undefined
    const given = isNamed ? reader.read(orderNameRow, path) : null
    return steps.map((granularity) => ({
      shape,
      name: given === null || steps.length === 1 ? given : `${given}-${granularity}`,
      nameInFile: given,
      granularity,
      path,
      origin: reader.source.originOf(path),
      granularityFlag: null,
    }))
  })
  reportSameNames(reader, drafts)
  return nameDrafts(reader, drafts)
}

/** Names several drafts without a name by their granularity, else by `every`, else by their place. */
export function nameDrafts(reader: SettingReader, drafts: OrderDraft[]): OrderDraft[] {
  if (drafts.length === 1) return drafts
  const usedNames = new Set(drafts.map(({ name }) => name))
  return drafts.map((draft, index) => {
    if (draft.name !== null) return draft
    const { shape, path, granularity } = draft
    const period = orderRows.everyMs.use(shape) === 'refused' ? '' : periodOf(reader, path)
    const plain = granularity || period || String(index + 1)
    let name = plain
    for (let place = 2; usedNames.has(name); place += 1) name = `${plain}-${place}`
    usedNames.add(name)
    return { ...draft, name }
  })
}

function periodOf(reader: SettingReader, path: ConfigPath): string {
  const inFile = reader.inFile([...path, 'every']) as RawValue | undefined
  return String(inFile ?? orderRows.everyMs.default)
}

/** The granularities of a map, or the default; `readOrder` reports wrong ones. */
function stepsOf(
  reader: SettingReader,
  { granularities }: DatasetShape,
  path: ConfigPath,
): readonly (Granularity | '')[] {
  const inFile = reader.inFile([...path, 'granularity']) as RawValue | undefined
  const steps = inFile === undefined ? null : granularitiesIn(inFile, granularities)
  return steps ?? [granularities[0] ?? '']
}

function reportSameNames(reader: SettingReader, drafts: readonly OrderDraft[]): void {
  const first = new Map<string, OrderDraft>()
  for (const draft of drafts) {
    const { name, shape, path } = draft
    const twin = name === null ? undefined : first.get(name)
    if (name !== null && twin === undefined) first.set(name, draft)
    if (twin === undefined) continue
    reader.report({
      where: reader.source.whereValue([...path, 'name']),
      code: 'CONFIG_ORDER_TWICE',
      what: `datasets.${shape.name} has two orders named ${JSON.stringify(name)} (the other: ${twin.origin})`,
      hint: 'Give each order of a dataset a name of its own, or none.',
    })
  }
}
