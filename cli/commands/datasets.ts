import { EXIT } from '../../config/coinlake-error.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import type { CliCommand } from '../command.ts'
import { print, printJson } from '../effects.ts'
import type { Effects } from '../effects.ts'

/** The exportable datasets, their tables and columns. Reads no configuration. */
export const datasetsCommand: CliCommand = {
  name: 'datasets',
  group: 'Look',
  summary: 'what can be exported: datasets, their tables, columns, units and keys',
  examples: {
    'coinlake datasets': 'lists them',
    'coinlake datasets market_chart': 'its tables, column by column',
    'coinlake datasets --coverage': 'each operation with its tables',
    'coinlake datasets --json': 'everything about all of them, for programs',
  },
  configure(command) {
    command
      .argument('[name]', 'a dataset, one of its tables, a view or a macro')
      .option(
        '--coverage',
        'operations: which tables keep them, and whether `serve` gives them again',
      )
      .option('--json', 'print as JSON')
  },
  async run(effects, [name], options) {
    const { datasets } = await import('../../datasets/index.ts')
    const isJson = options['json'] === true
    if (options['coverage'] === true) {
      const { findDataset } = await import('../describe/find-dataset.ts')
      const shown = name === undefined ? datasets : [findDataset(name, datasets)]
      await printCoverage(effects, shown, isJson)
      return EXIT.complete
    }
    if (name === undefined) {
      const { datasetJson } = await import('../describe/dataset-json.ts')
      const { datasetList } = await import('../describe/dataset-text.ts')
      const { lineWidth } = await import('../query/formats.ts')
      if (isJson) printJson(effects, datasets.map(datasetJson))
      else print(effects, datasetList(datasets, lineWidth(effects, '-')))
      return EXIT.complete
    }
    const { analystViews } = await import('../../sinks/views/analyst-views.ts')
    const view = analystViews.find((one) => one.name === name)
    if (view !== undefined) {
      const { viewText } = await import('../describe/dataset-text.ts')
      const { columns, description, needs } = view
      if (isJson) printJson(effects, { view: name, description, needs, columns })
      else print(effects, viewText(view))
      return EXIT.complete
    }
    const { analystMacros } = await import('../../sinks/views/analyst-views.ts')
    const macro = analystMacros.find((one) => one.name === name)
    if (macro !== undefined) {
      const { macroText } = await import('../describe/dataset-text.ts')
      const { parameters, description, needs } = macro
      if (isJson) printJson(effects, { macro: name, parameters, description, needs })
      else print(effects, macroText(macro))
      return EXIT.complete
    }
    const { findDataset } = await import('../describe/find-dataset.ts')
    const others = [...analystViews, ...analystMacros].map((one) => one.name)
    const dataset = findDataset(name, datasets, others)
    if (isJson) {
      const { datasetJson } = await import('../describe/dataset-json.ts')
      printJson(effects, datasetJson(dataset))
    } else {
      const { datasetText } = await import('../describe/dataset-text.ts')
      print(effects, datasetText(dataset))
    }
    return EXIT.complete
  },
}

/** The kept and served answers of all operations, or of those of one dataset. */
async function printCoverage(
  effects: Effects,
  datasets: readonly Dataset[],
  isJson: boolean,
): Promise<void> {
  const { operations } = await import('../../api/operations.ts')
  const { coverageJson, coverageText, operationCoverage } =
    await import('../describe/operation-coverage.ts')
  const shown = Object.values(operations).filter(
    ({ id }) => datasets.length > 1 || datasets[0]!.operations.includes(id),
  )
  const covered = operationCoverage(shown, datasets)
  if (isJson) printJson(effects, coverageJson(covered))
  else print(effects, coverageText(covered))
}
