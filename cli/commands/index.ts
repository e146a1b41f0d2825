import type { CliCommand } from '../command.ts'
import { backfill } from './backfill.ts'
import { backup } from './backup.ts'
import { completion } from './completion.ts'
import { config } from './config.ts'
import { cancel, pause, resume } from './control.ts'
import { dbt } from './dbt.ts'
import { datasetsCommand } from './datasets.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { gaps } from './gaps.ts'
import { get } from './get.ts'
import { init } from './init.ts'
import { keys } from './keys.ts'
import { openapi } from './openapi.ts'
import { plan } from './plan.ts'
import { prune } from './prune.ts'
import { quarantine } from './quarantine.ts'
import { query } from './query.ts'
import { refetch } from './refetch.ts'
import { report } from './report.ts'
import { restore } from './restore.ts'
import { revisions } from './revisions.ts'
import { schedule } from './schedule.ts'
import { runs } from './runs.ts'
import { serve } from './serve.ts'
import { server } from './server.ts'
import { status } from './status.ts'
import { tables } from './tables.ts'
import { verify } from './verify.ts'
import { worker } from './worker.ts'

/** Every verb, in the order of `coinlake --help`: groups as a person meets them. */
export const commands: readonly CliCommand[] = [
  demo,
  get,
  init,
  config,
  doctor,
  completion,
  plan,
  backfill,
  pause,
  resume,
  cancel,
  schedule,
  status,
  runs,
  tables,
  gaps,
  revisions,
  report,
  query,
  datasetsCommand,
  dbt,
  verify,
  refetch,
  quarantine,
  backup,
  restore,
  prune,
  openapi,
  serve,
  keys,
  worker,
  server,
]
