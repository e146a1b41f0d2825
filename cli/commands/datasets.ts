import type { Dataset } from '../../datasets/dataset.ts'
import type { CliCommand } from '../command.ts'
import { printResult, type Effects, type Options } from '../effects.ts'

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
    const { findDataset } = await import('../describe/find-dataset.ts')
    if (options['coverage'] === true) {
      const shown = name === undefined ? datasets : [findDataset(name)]
      await printCoverage(effects, shown, options)
      return
    }
    const { datasetJson } = await import('../describe/dataset-json.ts')
    const { datasetList, datasetText, macroText, viewText } =
      await import('../describe/dataset-text.ts')
    const { lineWidth } = await import('../query/formats.ts')
    const { analystMacros, analystViews } = await import('../../sinks/views/analyst-views.ts')
    const view = analystViews.find((one) => one.name === name)
    const macro = analystMacros.find((one) => one.name === name)
    if (name === undefined) {
      printResult(effects, options, datasets.map(datasetJson), () =>
        datasetList(datasets, lineWidth(effects, '-')),
      )
    } else if (view !== undefined) {
      const { columns, description, needs } = view
      printResult(effects, options, { view: name, description, needs, columns }, () =>
        viewText(view),
      )
    } else if (macro !== undefined) {
      const { parameters, description, needs } = macro
      printResult(effects, options, { macro: name, parameters, description, needs }, () =>
        macroText(macro),
      )
    } else {
      const dataset = findDataset(name)
      printResult(effects, options, datasetJson(dataset), () => datasetText(dataset))
    }
  },
}

async function printCoverage(
  effects: Effects,
  datasets: readonly Dataset[],
  options: Options,
): Promise<void> {
  const { operations } = await import('../../api/operations.ts')
  const { coverageText, operationCoverage } = await import('../describe/operation-coverage.ts')
  const shown = Object.values(operations).filter(
    ({ id }) => datasets.length > 1 || datasets[0]!.operations.includes(id),
  )
  const covered = operationCoverage(shown, datasets)
  printResult(effects, options, covered, () => coverageText(covered))
}
