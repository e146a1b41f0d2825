import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../config/clock.ts'
import { freePort } from '../../engine/server/free-port.ts'
import { askDuckdb } from '../parts/duckdb.ts'
import type { Captured } from '../parts/run-captured.ts'
import { openWarehouseFolder } from '../parts/warehouse-folder.ts'
import { commandsIn } from './commands-in.ts'
import { readPage } from './page-text.ts'

const readme = readPage('README.md')
/** Each command of coinlake that the page shows, once, in its order. */
const shown = new Map(
  commandsIn(readme)
    .filter(({ program }) => program === 'coinlake')
    .map(({ words }) => [words.join(' '), words]),
)

test('every command, in its order, from an empty folder to a schedule, as it is written', async () => {
  const port = String(await freePort())
  const env = { COINLAKE_API_KEY: 'CG-readme', COINLAKE_BASE_URL: `http://127.0.0.1:${port}` }
  const place = openWarehouseFolder({ clock: systemClock, env })
  // A process of its own has the real clock, too.
  const start = (...words: string[]) => place.start(words, { env: { COINLAKE_NOW: '' } })
  const said = new Map<string, Captured>()
  for (const [line, words] of shown) {
    if (line === 'schedule apply') appendFileSync(place.configFile, yaml())
    if (line === 'worker') await start(...words).says('working on')
    if (line === 'worker' || words[0] === 'serve') continue
    if (said.size === 0) await start(...service(), '--port', port).says('curl')
    const ended = await place.run(...words)
    expect(ended.exitCode, `${line}: ${ended.stdout}${ended.stderr}`).toBe(0)
    said.set(line, ended)
  }
  expect(said.get('gaps')?.stdout).toContain('no gaps')
  expect(said.get('doctor')?.stdout).toMatch(/^ok +clock/m)
  expect(said.get('doctor')?.stdout).not.toMatch(/^(FAULT|warn)/im)
  for (const figure of monthFigures()) expect(said.get('plan')?.stdout).toContain(figure)
  for (const path of filesOfReaders()) expect(existsSync(join(place.dir, path)), path).toBe(true)

  for (const sql of queries()) {
    const here = sql.replaceAll(`'warehouse/`, `'${place.dir}/warehouse/`)
    const { currentRowCount } = await askDuckdb(place.paths.duckdbLink, here, 'READ_ONLY')
    expect(currentRowCount, sql).toBeGreaterThan(0)
  }

  expect(await place.run('schedule', 'trigger', 'daily')).toMatchObject({ exitCode: 0 })
  const outcome = async (): Promise<string> => (await place.run('schedule', 'list')).stdout
  await expect.poll(outcome, { timeout: 60_000, interval: 300 }).toMatch(/^daily .* complete/m)
})

/** The simulated service that stands in for the real one. */
function service(): string[] {
  return [...shown.values()].find(([verb]) => verb === 'serve')!
}

/** The text of the page for coinlake.yaml. */
function yaml(): string {
  return readme.code.find(({ language }) => language === 'yaml')!.text
}

/** The calls and percentages of the key's month. */
function monthFigures(): string[] {
  const [figures = ''] = /^Before the first call[^]*?\n\n/m.exec(readme.text) ?? []
  return figures.match(/\d[\d,]* to \d[\d,]*(?: %)?/g) ?? ['no figures']
}

/** The SQL of all of its programs. */
function queries(): string[] {
  const found = readme.code.flatMap(({ text }) => [...text.matchAll(/"((?:SELECT|FROM) [^"]+)"/g)])
  expect(found.length).toBeGreaterThan(4)
  return found.map(([, sql = '']) => sql)
}

/** Files and folders that its programs open. */
function filesOfReaders(): string[] {
  return readme.code.flatMap(
    ({ text }) => text.match(/(?<=")warehouse\/[\w./]+|btc\.parquet/g) ?? [],
  )
}
