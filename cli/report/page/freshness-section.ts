import { html } from 'hono/html'
import { seriesText } from '../../../config/order-label.ts'
import { approximateDuration } from '../../render/quantities.ts'
import type { Freshness } from '../../freshness/freshness-facts.ts'
import { minuteText, quiet, section, tableHtml, type Html } from './texts.ts'

const STATES: Readonly<Record<Freshness['state'], { level: string; text: string }>> = {
  fresh: { level: 'good', text: 'fresh' },
  ended: { level: 'good', text: 'ended' },
  stale: { level: 'warn', text: 'stale' },
  none: { level: 'quiet', text: 'nothing there' },
  empty: { level: 'quiet', text: 'empty at source' },
}

export function freshnessSection(freshness: readonly Freshness[]): Html {
  const rows = freshness.map((one) => [
    seriesText(one.order, one.granularity),
    html`<span class="mark ${STATES[one.state].level}">${STATES[one.state].text}</span>`,
    one.ageMs === null || one.state === 'ended' ? '-' : approximateDuration(one.ageMs),
    one.newestAt === null ? '-' : minuteText(one.newestAt),
    approximateDuration(one.allowedMs),
    one.state === 'stale' && one.staleSince !== null ? minuteText(one.staleSince) : '-',
  ])
  const header = ['dataset', 'state', 'age', 'newest', 'stale after', 'stale since']
  const table = tableHtml(header, rows, [2, 4])
  return section(
    'freshness',
    'Freshness',
    rows.length === 0 ? quiet('No dataset is configured.') : table,
  )
}
