import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operations } from '../../../api/operations.ts'
import { datasets } from '../../../datasets/index.ts'
import { runCaptured } from '../../parts/run-captured.ts'

/** Paths of the interface, in its order: what there is to export and to serve. */
const PATHS = Object.keys(operations).map((id) => `/v2/${id}`)
const DOCUMENT = new URL('../../../../shared/interface.md', import.meta.url)

interface Covered {
  operation: string
  dataset: string | null
  tables: string[]
  is_served: boolean
}

async function coverage(...args: string[]): Promise<Covered[]> {
  const { exitCode, stdout, stderr } = await runCaptured([
    'datasets',
    ...args,
    '--coverage',
    '--json',
  ])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return JSON.parse(stdout) as Covered[]
}

if (!existsSync(DOCUMENT)) console.log(`skipped: ${DOCUMENT.pathname} is not on this machine`)

test.skipIf(!existsSync(DOCUMENT))('the list of paths is that of the interface document', () => {
  const rows = readFileSync(DOCUMENT, 'utf8').matchAll(/^\| GET \| (\S+) \|/gm)
  expect([...rows].map(([, path]) => path)).toEqual(PATHS)
})

test('every path is described, exported into tables, and served', async () => {
  const covered = await coverage()
  expect(covered.map(({ operation }) => `/v2/${operation}`)).toEqual(PATHS)
  for (const { operation, dataset, tables, is_served } of covered) {
    expect(is_served, operation).toBe(true)
    // Ping says that the service is up: there is nothing to keep.
    if (operation === 'ping') expect({ dataset, tables }).toEqual({ dataset: null, tables: [] })
    else expect(tables, operation).not.toEqual([])
  }
})

test('every table is the answer of an operation', async () => {
  const shown = new Set((await coverage()).flatMap(({ tables }) => tables))
  const all = datasets.flatMap(({ tables }) => tables.map(({ name }) => name))
  expect(shown).toEqual(new Set(all))
})

test('an operation is shown with its own tables, not with those of its whole dataset', async () => {
  expect(await coverage('exchange_stats')).toEqual([
    { operation: 'exchanges', dataset: 'exchanges', tables: ['exchange_stats'], is_served: true },
    { operation: 'exchanges/list', dataset: 'exchanges', tables: ['exchanges'], is_served: true },
  ])
})

test('as text: a line an operation, and their number', async () => {
  const { exitCode, stdout } = await runCaptured(['datasets', '--coverage'])
  expect(exitCode).toBe(0)
  for (const path of PATHS) {
    expect(stdout.split('\n').filter((line) => line.startsWith(`GET ${path} `))).toHaveLength(1)
  }
  expect(stdout).toMatch(/^GET \/v2\/exchanges\/list +yes +exchanges$/m)
  expect(stdout).toMatch(/^GET \/v2\/ping +yes +\(nothing to keep\)$/m)
  expect(stdout).toContain('\n32 of 32 operations exported and served\n')
})
