import { appendFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../config/clock.ts'
import { freePort } from '../../engine/free-port.ts'
import type { Captured } from '../parts/run-captured.ts'
import { openWarehouseFolder } from '../parts/warehouse-folder.ts'
import { commandsIn } from './commands-in.ts'
import { readPage } from './page-text.ts'

/** Where the README's service listens. */
const PORT = '8400'
const FIRST = 'init'
const LAST = 'list'

test(
  'its way from an empty folder to a schedule, as it is written',
  { timeout: 240_000 },
  async () => {
    const port = String(await freePort())
    const place = openWarehouseFolder({ clock: systemClock, env: { COINLAKE_API_KEY: 'any' } })
    onTestFinished(() => place.remove())
    // A process of its own has the real clock, too.
    const start = (...words: string[]) => place.start(words, { env: { COINLAKE_NOW: '' } })

    const shown = commandsIn(readPage('README.md')).filter(({ program }) => program === 'coinlake')
    const words = shown.map((one) => one.words.map((word) => word.replace(PORT, port)))
    const firstOf = (verb: string): number => words.findIndex((line) => line.includes(verb))
    await start(...words[firstOf('serve')]!, '--port', port).says('curl')

    const said = new Map<string, Captured>()
    for (const line of words.slice(firstOf(FIRST), firstOf(LAST) + 1)) {
      const [verb = ''] = line
      const name = line.slice(0, verb === 'schedule' ? 2 : 1).join(' ')
      // What the page shows beside its way: sections on other choices, and files that are read elsewhere.
      if (!WAY.has(name) || (said.has(name) && name !== 'backfill')) continue
      if (name === 'doctor')
        appendFileSync(place.configFile, `${schedulesOf(readPage('README.md'))}\n`)
      if (name === 'worker') {
        await start(...line).says('working on')
        continue
      }
      const ended = await place.run(...line)
      expect(ended.exitCode, `${line.join(' ')}: ${ended.stdout}${ended.stderr}`).toBe(0)
      said.set(name, ended)
    }
    expect([...said.keys(), 'worker'].toSorted()).toEqual([...WAY].toSorted())
    expect(said.get('gaps')?.stdout).toContain('no gaps')
    expect(said.get('doctor')?.stdout).toMatch(/^ok +clock/m)
    expect(said.get('doctor')?.stdout).not.toMatch(/^(FAULT|warn)/im)

    expect(await place.run('schedule', 'trigger', 'hourly')).toMatchObject({ exitCode: 0 })
    const outcome = async (): Promise<string> => (await place.run('schedule', 'list')).stdout
    await expect.poll(outcome, { timeout: 60_000, interval: 300 }).toMatch(/^hourly .* complete/m)
  },
)

const WAY = new Set([
  'init',
  'plan',
  'backfill',
  'status',
  'gaps',
  'query',
  'report',
  'doctor',
  'schedule apply',
  'worker',
  'schedule list',
])

/** The line that the page says to write, from the sentence that says it. */
function schedulesOf({ code }: ReturnType<typeof readPage>): string {
  return code.find(({ text }) => text.startsWith('schedules: {'))!.text
}
