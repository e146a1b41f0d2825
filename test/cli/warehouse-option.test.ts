import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commands } from '../../cli/commands/index.ts'
import { processEffects } from '../../cli/effects.ts'
import { warehouseToRead } from '../../cli/query/warehouse-to-read.ts'
import { createProgram } from '../../cli/program.ts'
import { openMarketFolder } from '../parts/market-lake.ts'

const { service, folder: place } = await openMarketFolder({ coins: 2 }, () => ({}), afterAll)

beforeAll(async () => {
  // Nobody may follow a link to itself, root neither.
  symlinkSync('loop', join(place.dir, 'loop'))
  const chart = '--from 2024-03-28 --to 2024-04-02 --coins bitcoin -o btc.csv --warehouse lake'
  const got = await place.run('get', 'market_chart', '--base-url', service.url, ...chart.split(' '))
  expect(got.exitCode, got.stderr).toBe(0)
})

test('each command that takes a configuration takes a warehouse', () => {
  const program = createProgram(processEffects(), () => undefined)
  const flags = program.commands.map((command) => command.options.map(({ long }) => long))
  const configured = flags.filter((own) => own.includes('--config'))
  expect(configured.length).toBeGreaterThan(20)
  expect(configured.filter((own) => !own.includes('--warehouse'))).toEqual([])
  expect(commands.length).toBeGreaterThan(configured.length)
})

test.for([
  ['status', 0, 'complete: 5 rows'],
  ['status --check', 0, 'complete: 5 rows'],
  ['runs', 0, 'by hand'],
  ['doctor', 2, '0 failed; kept answers not read (`coinlake verify` reads them)'],
  ['tables', 0, 'market_chart'],
  ['verify', 0, 'no difference'],
  ['report --json', 0, '"market_chart"'],
  ['revisions', 0, 'no value has changed'],
  ['quarantine list', 0, ''],
  ['prune', 0, 'nothing to prune'],
  ['pause', 0, 'no run is going on in'],
  ['backup copy', 0, '5 rows as they were stored'],
  ['dbt sources', 0, 'daily_prices'],
] as const)('without a configuration: coinlake %s -w lake', async ([words, code, said]) => {
  const { exitCode, stdout, stderr } = await place.run(...words.split(' '), '-w', 'lake')
  expect(exitCode, stderr).toBe(code)
  expect(stdout + stderr).toContain(said)
})

test('an output among the files of a warehouse is refused before a call', async () => {
  const stateDir = join(place.dir, 'new', 'state')
  mkdirSync(stateDir, { recursive: true })
  const argv = ['get', 'coins', '--base-url', service.url, '--warehouse', 'new']
  const { exitCode, stderr } = await place.run(...argv, '-o', 'new/state/coins.csv')
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('error[OUTPUT_IN_WAREHOUSE]')])
  expect(readdirSync(stateDir)).toEqual([])
})

test('an output in a linked folder of a warehouse that is not there yet is refused', async () => {
  mkdirSync(join(place.dir, 'real'))
  symlinkSync('real', join(place.dir, 'link'))
  const argv = ['get', 'coins', '--base-url', service.url, '--warehouse', 'link']
  const { exitCode, stderr } = await place.run(...argv, '-o', 'real/coinlake.duckdb')
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('error[OUTPUT_IN_WAREHOUSE]')])
})

test('~ is the home folder for a command that only reads', async () => {
  const { root } = await warehouseToRead(processEffects(), { warehouse: '~/lake' })
  expect(root).toBe(join(homedir(), 'lake'))
})

test('a store that is gone comes back into the warehouse that is named', async () => {
  const { exitCode, stdout } = await place.run('restore', '--from', 'copy', '-w', 'other')
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('restored 5 rows')])
  rmSync(join(place.dir, 'other'), { recursive: true })
})

test.for([
  ['status -w lake/coinlake.duckdb', 2, 'error[WAREHOUSE_IS_FILE]'],
  ['status --check -w nosuch', 3, 'nosuch yet'],
  ['prune -w nosuch', 0, 'nosuch yet'],
  ['status -w loop', 5, 'error[WAREHOUSE_UNREADABLE]'],
  ['tables -w loop', 5, 'error[WAREHOUSE_UNREADABLE]'],
  ['runs -w loop', 5, 'error[WAREHOUSE_UNREADABLE]'],
  ['prune -w loop', 5, 'error[WAREHOUSE_UNREADABLE]'],
  ['serve --warehouse loop', 2, 'error[WAREHOUSE_NOT_FOUND]'],
  ['status -w lake -c coinlake.yaml', 2, 'error[CONFIG_NOT_FOUND]'],
] as const)('no warehouse, or no file of that name: coinlake %s', async ([words, code, said]) => {
  const { exitCode, stdout, stderr } = await place.run(...words.split(' '))
  expect([exitCode, stdout + stderr]).toEqual([code, expect.stringContaining(said)])
})

test.for([
  ['plan', 'CONFIG_NO_DATASETS', 'no coinlake.yaml: no dataset is asked for'],
  ['gaps', 'CONFIG_NO_DATASETS', 'no coinlake.yaml: no dataset is asked for'],
  ['worker', 'CONFIG_NO_BASE_URL', 'there is no coinlake.yaml, so no source to ask'],
  [
    'backfill --dataset market_chart --coins bitcoin --from 2024-03-28',
    'CONFIG_NO_BASE_URL',
    'there is no coinlake.yaml, so no source to ask',
  ],
] as const)(
  'what only a file can say is missed: coinlake %s -w lake',
  async ([words, code, said]) => {
    const { exitCode, stderr } = await place.run(...words.split(' '), '-w', 'lake')
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`error[${code}]: ${said}`)])
  },
)

test('a configuration says what is asked for, and the flag where it goes', async () => {
  const datasets = ['market_chart: { coins: [bitcoin], from: 2024-03-28, to: 2024-04-02 }']
  place.configure({ source: [`base_url: "${service.url}"`], datasets })
  const calls = service.log.length
  expect((await place.run('gaps')).exitCode).toBe(3)
  expect((await place.run('gaps', '-w', 'lake')).exitCode).toBe(0)
  const nothing = 'nothing to do: the warehouse has all data that the source gave\n'
  expect((await place.run('plan', '-w', 'lake')).stdout).toContain(nothing)
  const filled = await place.run('backfill', '-w', join(place.dir, 'lake'))
  expect([filled.exitCode, filled.stderr]).toEqual([0, expect.stringContaining(nothing)])
  expect(service.log.length).toBe(calls)
  const shown = await place.run('config', 'show', '-w', 'lake')
  expect(shown.stdout).toMatch(/^warehouse +.*lake +flag --warehouse$/m)
})

test('places that the file gives to its own warehouse are not used for another one', async () => {
  writeFileSync(
    place.configFile,
    `source: { base_url: "${service.url}" }
stage: { at: ./elsewhere }
datasets: { coins: {} }
`,
  )
  const { exitCode, stderr } = await place.run('status', '-w', 'lake')
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('coinlake.yaml:2')])
  expect(stderr).toContain('stage.at is the place of the configured warehouse')
})
