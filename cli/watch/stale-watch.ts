import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { alertOfStale } from '../../activities/alerts/alert.ts'
import type { AlertPlace } from '../../activities/alerts/alert.ts'
import type { Alerter } from '../../activities/alerts/alerter.ts'
import { writeStateFile } from '../../activities/state-file.ts'
import { isOld } from '../report/facts/freshness-facts.ts'
import type { Freshness } from '../report/facts/freshness-facts.ts'

/** By dataset the point that was the newest when it was told: once, and not at every look. */
type Told = Record<string, string>

/** Tells of datasets that have become stale, each once until it is fresh again: one that grows and stays stale is no news. */
export interface StaleWatch {
  look(freshness: readonly Freshness[], place: AlertPlace): Promise<void>
}

/** @param dir where it remembers what was told: `state/alerts` */
export function staleWatch(alerter: Pick<Alerter, 'tell'>, dir: string): StaleWatch {
  const file = join(dir, 'stale-told.json')
  let told: Told | null = null
  return {
    async look(freshness, place) {
      told ??= await readTold(file)
      const now: Told = {}
      for (const one of freshness.filter(isOld)) {
        const { dataset, granularity, newestAt, staleSince: since, ageMs, allowedMs } = one
        now[dataset] = told[dataset] ?? newestAt ?? 'empty'
        if (told[dataset] !== undefined) continue
        const stale = { dataset, granularity, newestAt, since, ageMs, allowedMs }
        await alerter.tell(alertOfStale(stale, place))
      }
      if (JSON.stringify(now) === JSON.stringify(told)) return
      // After the telling: whoever is killed in between tells again, under the same id.
      await writeStateFile(file, now, 'ALERT_NOT_KEPT')
      told = now
    },
  }
}

async function readTold(file: string): Promise<Told> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Told
  } catch {
    return {}
  }
}
