import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { repeatedRequests } from '../parts/day-market.ts'
import { marketUntil } from '../parts/market-lake.ts'
import { tempDir } from '../parts/temp-dir.ts'
import { reportOf } from '../resume/report-of.ts'
import { brakeFrom } from './parts/brake.ts'
import { GUARDED, startPostgres } from './parts/postgres.ts'
import { makeTeam, TEAM_CONCURRENCY } from './parts/team.ts'

const COINS = 12
const [OLD, NEW] = ['old-password', 'new-password']

const postgres = await startPostgres()

test('another password of the catalog in the middle of a run: the next backfill goes on with it', async () => {
  const dir = tempDir()
  const brake = brakeFrom(COINS / 2)
  const service = await marketUntil({ coins: COINS, hold: (answer) => brake.hold(answer) })
  const catalog = postgres.makeCatalog('guarded_lake').replace(/user=\w+/, `user=${GUARDED}`)
  postgres.query('postgres', `CREATE ROLE ${GUARDED} LOGIN PASSWORD '${OLD}'`)
  postgres.query('postgres', `ALTER DATABASE guarded_lake OWNER TO ${GUARDED}`)
  const team = makeTeam({
    sourceUrl: service.url,
    lake: { catalog, data: join(dir, 'rows'), extensionDir: inject('extensions') },
    stageAt: join(dir, 'stage'),
    datasetLines: [
      `market_chart: { coins: "top:${COINS}", granularity: hourly, from: 2024-03-28 }`,
    ],
    temporal: inject('temporal'),
  })
  const start = (words: string[], password: string) =>
    team.start('machine', words, { env: { PGPASSWORD: password } })

  const begun = start(['backfill'], OLD)
  await brake.holds(1)
  postgres.query('postgres', `ALTER ROLE ${GUARDED} PASSWORD '${NEW}'`)
  begun.kill('SIGTERM')
  brake.release()
  await begun.ended

  const refused = await start(['backfill'], OLD).ended
  expect(refused.code).toBe(5)
  expect(refused.stderr).toContain('error[STORE_CATALOG_')
  expect(refused.stderr).not.toContain(OLD)
  expect((await start(['doctor'], OLD).ended).code).not.toBe(0)
  expect(await start(['doctor'], NEW).ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(': 1 dataset, to the lake\n') as string,
  })

  const report = reportOf(await start(['backfill', '--json'], NEW).ended)
  expect(report.verdict).toBe('complete')
  expect(repeatedRequests(service.log)).toBeLessThanOrEqual(TEAM_CONCURRENCY)

  const worker = start(['worker'], NEW)
  await worker.says('working on')
  const beside = await start(['doctor'], OLD).ended
  expect(beside).toMatchObject({
    code: 5,
    stdout: expect.stringMatching(/^FAULT store .*STORE_CATALOG_/m) as string,
  })
  worker.kill('SIGTERM')
  await worker.ended
})
