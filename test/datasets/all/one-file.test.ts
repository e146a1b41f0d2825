import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { operations } from '../../../api/operations.ts'
import { orderRows } from '../../../config/settings/order-settings.ts'
import { datasets } from '../../../datasets/index.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const ROOMS = 'config api plan stage sinks activities workflows engine service cli'.split(' ')

/** Where a dataset is meant by name, because nothing could be derived. */
const MEANT: readonly { path: string; because: string }[] = [
  { path: 'sinks/views/', because: 'a view is a question to certain tables' },
  {
    path: 'service/market/series-batches.ts',
    because:
      'series of the simulated market are written column by column, so as not to share code with the dataset',
  },
  {
    path: 'cli/render/failure-hint.ts',
    because: 'for an unknown id it names the dataset that lists ids of its kind',
  },
  { path: 'cli/demo/', because: 'the demo is an example' },
  {
    path: 'cli/report/facts/price-facts.ts',
    because: 'the chart of a coin is a question to certain tables',
  },
  {
    path: 'cli/run/doubtful-names.ts',
    because: 'of coins that share a symbol the largest is meant',
  },
  {
    path: 'service/answer-operation.ts',
    because: 'the paths of all chart operations hold the word',
  },
]

/**
 * Names that mean nothing but a dataset: some are also operations (`exchange_rates`), keys of the
 * configuration (`coins`) or words of a body (`categories`).
 */
const keys = Object.values(orderRows).map(({ key }) => key)
const words = new Set<string>([...Object.keys(operations), ...keys, 'categories'])
const names = datasets.map(({ name }) => name).filter((name) => !words.has(name))

function sources(): string[] {
  return ROOMS.flatMap((room) =>
    readdirSync(`${ROOT}${room}`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${room}/${path}`),
  )
}

/** A command line that a help shows. */
const HELP_EXAMPLE = /'coinlake [^']*':/g

/** A name as a value or in SQL; part of a path such as `coins/{id}/ohlc` is an operation. */
function namesIn(text: string): string[] {
  const code = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '').replaceAll(HELP_EXAMPLE, '')
  return names.filter((name) => new RegExp(`(?<![\\w/-])${name}(?![\\w/'])|'${name}'`).test(code))
}

test('adding a dataset is one file and its line in the index: no other file names one', () => {
  expect(names.length).toBeGreaterThan(20)
  const naming = sources().flatMap((path) => {
    const found = namesIn(readFileSync(`${ROOT}${path}`, 'utf8'))
    const isMeant = MEANT.some((one) => path.startsWith(one.path))
    return found.length > 0 && !isMeant ? [`${path}: ${found.join(', ')}`] : []
  })
  expect(naming).toEqual([])
})

test('every exception is still one', () => {
  const paths = sources()
  for (const { path } of MEANT) {
    const files = paths.filter((one) => one.startsWith(path))
    const found = files.flatMap((file) => namesIn(readFileSync(`${ROOT}${file}`, 'utf8')))
    expect(found.length, path).toBeGreaterThan(0)
  }
})
