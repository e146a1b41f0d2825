import type { ConfigGranularity, DatasetShape } from './dataset-shape.ts'
import { keyUse } from './dataset-shape.ts'
import { ORDER_NAME_PATTERN } from './order-label.ts'
import { orderPath } from './order-path.ts'
import { parseGranularities } from './parse-values.ts'
import type { ConfigDocument } from './schema.ts'
import { BadValue, type SettingReader } from './setting-reader.ts'
import type { ConfigPath, YamlSource } from './yaml-source.ts'

/** The map of an order, as the file has it. */
export type OrderSection = NonNullable<ConfigDocument['datasets']>[string][number]

/** An order of which only the name and the granularity are known yet: these tell orders of a dataset apart. */
export interface OrderDraft {
  shape: DatasetShape
  /** null = the only order of its dataset, and nobody named it. */
  name: string | null
  granularity: ConfigGranularity | ''
  /** Of its map; several granularities make several orders of one map. */
  path: ConfigPath
  section: OrderSection
  origin: string
  /** The word of `--granularity` that made this order; null = the file has it. */
  granularityFlag: string | null
}

const namePattern = new RegExp(ORDER_NAME_PATTERN)

/** The orders that the file has of a dataset, each with a name of its own where there are several. */
export function draftOrders(
  reader: SettingReader,
  source: YamlSource,
  shape: DatasetShape,
  sections: readonly OrderSection[],
): OrderDraft[] {
  const drafts = sections.flatMap((section, place) => {
    const path = orderPath(source, shape.name, place)
    const steps = stepsOf(shape, section)
    const given = givenName(reader, source, path, section)
    return steps.map((granularity) => ({
      shape,
      name: given === null || steps.length === 1 ? given : `${given}-${granularity}`,
      granularity,
      path,
      section,
      origin: source.originOf(path),
      granularityFlag: null,
    }))
  })
  refuseTwins(reader, source, drafts)
  return drafts.length === 1 ? drafts : named(drafts)
}

/** Drafts without a name get one: their granularity, or how often they are taken, or their place. */
export function named(drafts: readonly OrderDraft[]): OrderDraft[] {
  const taken = new Set(drafts.map(({ name }) => name))
  return drafts.map((draft, index) => {
    if (draft.name !== null) return draft
    const { shape, section, granularity } = draft
    const every = keyUse(shape, 'every') === 'refused' ? '' : (section.every ?? '1d')
    const plain = granularity || every || String(index + 1)
    let name = plain
    for (let place = 2; taken.has(name); place += 1) name = `${plain}-${place}`
    taken.add(name)
    return { ...draft, name }
  })
}

/** The granularities of a map; what cannot be read is told when the order is read. */
function stepsOf(
  { granularities }: DatasetShape,
  { granularity }: OrderSection,
): readonly (ConfigGranularity | '')[] {
  const usual = [granularities[0] ?? ''] as const
  if (granularity === undefined) return usual
  try {
    return parseGranularities(granularity, granularities)
  } catch (error) {
    if (!(error instanceof BadValue)) throw error
    return usual
  }
}

function givenName(
  reader: SettingReader,
  source: YamlSource,
  path: ConfigPath,
  { name }: OrderSection,
): string | null {
  if (name === undefined || namePattern.test(name)) return name ?? null
  reader.report({
    where: source.whereValue([...path, 'name']),
    code: 'CONFIG_BAD_ORDER_NAME',
    what: `is no name of an order: ${JSON.stringify(name)}`,
    hint: 'Write up to 40 of a-z, 0-9, _ and -, beginning with a letter or a digit: hourly.',
  })
  return null
}

function refuseTwins(reader: SettingReader, source: YamlSource, drafts: readonly OrderDraft[]) {
  const first = new Map<string, OrderDraft>()
  for (const draft of drafts) {
    const { name, shape, path } = draft
    const twin = name === null ? undefined : first.get(name)
    if (name !== null && twin === undefined) first.set(name, draft)
    if (twin === undefined) continue
    reader.report({
      where: source.whereValue([...path, 'name']),
      code: 'CONFIG_ORDER_TWICE',
      what: `datasets.${shape.name} has two orders named ${JSON.stringify(name)} (the other: ${twin.origin})`,
      hint: 'Give each order of a dataset a name of its own, or none.',
    })
  }
}
