import { EXIT } from '../../config/coinlake-error.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import type { CliCommand } from '../command.ts'
import { printResult, type Effects } from '../effects.ts'

export const datasetsCommand: CliCommand = {
  name: 'datasets',
  group: 'Look',
  summary: 'describe the datasets that can be exported: tables, columns, units and keys',
  examples: {
    'coinlake datasets': 'lists them',
    'coinlake datasets market_chart': 'its tables, column by column',
    'coinlake datasets --coverage': 'each operation with its tables',
    'coinlake datasets --json': 'prints all of them as JSON',
  },
  configure(command) {
    command
      .argument('[name]', 'a dataset, one of its tables, a view or a macro')
      .option(
        '--coverage',
        'show each operation, the tables that keep its answers, and whether `serve` answers it',
      )
      .option('--json', 'print as JSON')
  },
  async run(effects, [name], options) {
    const { datasets } = await import('../../datasets/index.ts')
    if (options['coverage'] === true) {
      const { findDataset } = await import('../describe/find-dataset.ts')
      const shown = name === undefined ? datasets : [findDataset(name, datasets)]
      await printCoverage(effects, shown, options)
      return EXIT.complete
    }
    if (name === undefined) {
      const { datasetJson } = await import('../describe/dataset-json.ts')
      const { datasetList } = await import('../describe/dataset-text.ts')
      const { lineWidth } = await import('../query/formats.ts')
      printResult(effects, options, datasets.map(datasetJson), () =>
        datasetList(datasets, lineWidth(effects, '-')),
      )
      return EXIT.complete
    }
    const { analystViews } = await import('../../sinks/views/analyst-views.ts')
    const view = analystViews.find((one) => one.name === name)
    if (view !== undefined) {
      const { viewText } = await import('../describe/dataset-text.ts')
      const { columns, description, needs } = view
      const document = { view: name, description, needs, columns }
      printResult(effects, options, document, () => viewText(view))
      return EXIT.complete
    }
    const { analystMacros } = await import('../../sinks/views/analyst-views.ts')
    const macro = analystMacros.find((one) => one.name === name)
    if (macro !== undefined) {
      const { macroText } = await import('../describe/dataset-text.ts')
      const { parameters, description, needs } = macro
      const document = { macro: name, parameters, description, needs }
      printResult(effects, options, document, () => macroText(macro))
      return EXIT.complete
    }
    const { findDataset } = await import('../describe/find-dataset.ts')
    const others = [...analystViews, ...analystMacros].map((one) => one.name)
    const dataset = findDataset(name, datasets, others)
    const { datasetJson } = await import('../describe/dataset-json.ts')
    const { datasetText } = await import('../describe/dataset-text.ts')
    printResult(effects, options, datasetJson(dataset), () => datasetText(dataset))
    return EXIT.complete
  },
}

async function printCoverage(
  effects: Effects,
  datasets: readonly Dataset[],
  options: Record<string, unknown>,
): Promise<void> {
  const { operations } = await import('../../api/operations.ts')
  const { coverageJson, coverageText, operationCoverage } =
    await import('../describe/operation-coverage.ts')
  const shown = Object.values(operations).filter(
    ({ id }) => datasets.length > 1 || datasets[0]!.operations.includes(id),
  )
  const covered = operationCoverage(shown, datasets)
  printResult(effects, options, coverageJson(covered), () => coverageText(covered))
}
