import type { ConfigProblem } from '../config-problem.ts'
import type { DatasetShape } from '../dataset-shape.ts'
import { hintFor } from '../values/did-you-mean.ts'
import { flagGranularities, reportUnusedFlags } from './dataset-flags.ts'
import { draftOrders, labelOf, nameDrafts, type OrderDraft } from './order-drafts.ts'
import { COMMAND_LINE, readOrder } from './read-order.ts'
import type { SettingReader } from './setting-reader.ts'

/**
 * Reads the section `datasets`, or the orders that `--dataset` and `--granularity` choose; flags replace keys. `labels`:
 * the datasets and named orders of the file, for schedules and freshness.
 */
export function readDatasets(reader: SettingReader, shapes: readonly DatasetShape[]) {
  const { flags } = reader
  const names = Object.keys(reader.inFile(['datasets']) ?? {})
  const drafts = names.flatMap((name) => {
    const shape = shapes.find((one) => one.name === name)
    if (shape !== undefined) return draftOrders(reader, shape)
    reader.report(unknownDataset(reader.source.whereKey(['datasets', name]), name, shapes))
    return []
  })
  const labels = [...names, ...drafts.map(labelOf)]
  const chosen = chosenDrafts(reader, drafts, shapes)
  const byDataset = Map.groupBy(chosen, ({ shape }) => shape)
  reportUnusedFlags(reader, [...byDataset.keys()])
  const notes: string[] = []
  const wanted = [...byDataset].flatMap(([shape, ofDataset]) => {
    const steps = flagGranularities(shape, flags)
    return steps.length === 0 ? ofDataset : withGranularities(reader, ofDataset, steps, notes)
  })
  const datasets = wanted.map((draft) => readOrder(reader, draft, flags))
  // Maps that flags do not choose are read too, so that their errors are reported.
  const paths = new Set(wanted.map(({ path }) => path.join('.')))
  for (const draft of drafts) {
    if (!paths.has(draft.path.join('.'))) readOrder(reader, draft, {})
  }
  return { datasets, labels: [...new Set(labels)], notes }
}

/** The orders that `--dataset` names: orders of the file, and datasets that the file may lack. */
function chosenDrafts(
  reader: SettingReader,
  drafts: readonly OrderDraft[],
  shapes: readonly DatasetShape[],
): OrderDraft[] {
  const { datasets } = reader.flags
  if (datasets === undefined) return [...drafts]
  const chosen = [...new Set(datasets)].flatMap((word) => {
    const [name = ''] = word.split('/')
    const shape = shapes.find((one) => one.name === name)
    if (shape === undefined) {
      reader.report(unknownDataset(COMMAND_LINE, name, shapes))
      return []
    }
    const ofDataset = drafts.filter((draft) => draft.shape === shape)
    if (word === name) return ofDataset.length > 0 ? ofDataset : [draftOfFlag(shape)]
    const meant = ofDataset.filter((draft) => labelOf(draft) === word)
    if (meant.length === 0) reader.report(unknownOrder(word, name, ofDataset.map(labelOf)))
    return meant
  })
  return [...new Set(chosen)]
}

function draftOfFlag(shape: DatasetShape): OrderDraft {
  return {
    shape,
    name: null,
    granularity: shape.granularities[0] ?? '',
    path: ['datasets', shape.name],
    nameInFile: null,
    origin: COMMAND_LINE,
    granularityFlag: null,
  }
}

/**
 * The orders of a dataset that have one of these granularities. For a granularity without an order, every
 * map of the dataset makes an order for this run only.
 */
function withGranularities(
  reader: SettingReader,
  drafts: readonly OrderDraft[],
  steps: ReturnType<typeof flagGranularities>,
  notes: string[],
): OrderDraft[] {
  const isInFile = drafts.some(({ origin }) => origin !== COMMAND_LINE)
  const maps = [...new Map(drafts.map((draft) => [draft.path.join('.'), draft])).values()]
  const found = steps.flatMap((step) => {
    const ofStep = drafts.filter(({ granularity }) => granularity === step)
    if (isInFile && ofStep.length > 0) return ofStep
    if (isInFile) notes.push(noteOfThisRun(drafts[0]!, step))
    const nameOf = ({ nameInFile: name }: OrderDraft): string | null =>
      name === null || steps.length === 1 ? name : `${name}-${step}`
    return maps.map((draft) => ({
      ...draft,
      name: nameOf(draft),
      granularity: step,
      granularityFlag: step,
    }))
  })
  return nameDrafts(reader, found)
}

function noteOfThisRun({ shape }: OrderDraft, step: string): string {
  return `${shape.name} ${step} is an order of this command only (flag --granularity); gaps, status and schedules use the orders of the file`
}

function unknownDataset(
  where: string,
  name: string,
  shapes: readonly DatasetShape[],
): ConfigProblem {
  const known = shapes.map((shape) => shape.name)
  return {
    where,
    code: 'CONFIG_UNKNOWN_DATASET',
    what: `there is no dataset ${JSON.stringify(name)}`,
    hint: hintFor(name, known, `Datasets: ${known.join(', ')}.`),
  }
}

function unknownOrder(word: string, dataset: string, known: readonly string[]): ConfigProblem {
  const named = known.filter((label) => label !== dataset).join(', ')
  return {
    where: COMMAND_LINE,
    code: 'CONFIG_UNKNOWN_ORDER',
    what: `there is no order ${JSON.stringify(word)}`,
    hint:
      named === '' ? `Write ${dataset}, because no order of it has a name.` : `There are ${named}.`,
  }
}
