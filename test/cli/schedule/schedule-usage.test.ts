import { expect, test } from 'vitest'
import { runCaptured } from '../../parts/run-captured.ts'

const BACKFILL = ['--from', '2026-01-01', '--to', '2026-01-02']

test.each<[string[], string, string]>([
  [['list', '--from', 'x'], 'schedule list takes no --from', '--from is for backfill.'],
  [['list', '--all'], 'schedule list takes no --all', 'pause, resume, trigger, backfill, delete.'],
  [['apply', '--note', 'x'], 'schedule apply takes no --note', '--note is for pause, resume.'],
  [['pause', 'a', '--replace'], 'schedule pause takes no --replace', '--replace is for apply.'],
  [['trigger', 'a', '--note', 'x'], 'schedule trigger takes no --note', 'for pause, resume.'],
  [['delete', 'a', ...BACKFILL], 'schedule delete takes no --from', '--from is for backfill.'],
  [['list', 'hourly'], 'schedule list takes no name, and has "hourly"', '`list` takes all'],
  [['apply', 'hourly'], 'schedule apply takes no name, and has "hourly"', '`apply` takes all'],
  [['delete', 'hourly', '--all'], 'schedule delete says both hourly and --all', 'Give one of them'],
  [['backfill', ...BACKFILL], 'schedule backfill does not say which', 'or --all.'],
])('%j is refused, and nothing is done', async (words, what, hint) => {
  // Neither a file nor a server is needed to see it.
  const told = await runCaptured(['schedule', ...words], { cwd: '/nowhere' })
  expect(told).toMatchObject({ exitCode: 2, stdout: '' })
  expect(told.stderr).toContain(`error[USAGE]: ${what}\n`)
  expect(told.stderr).toContain(hint)
})

test.each([
  ['apply', '--replace'],
  ['list', '--json'],
  ['pause', '--all', '--note', 'x'],
  ['resume', 'a'],
  ['backfill', 'a', ...BACKFILL],
  ['backfill', '--all', ...BACKFILL],
  ['delete', '--all'],
])('%s %s ... is understood, and misses only a configuration', async (...words) => {
  const told = await runCaptured(['schedule', ...words], { cwd: '/nowhere' })
  expect(told.stderr).toContain('error[CONFIG_NOT_FOUND]')
})

test('the help names each action', async () => {
  const { stdout } = await runCaptured(['schedule', '--help'])
  expect(stdout.split('\n').slice(0, 6).join(' ')).toMatch(/resume, trigger, backfill,\s+delete/)
})
