import { html } from 'hono/html'
import { seriesText } from '../../../config/order-label.ts'
import { approximateDuration } from '../../render/quantities.ts'
import type { Freshness } from '../../freshness/freshness-facts.ts'
import { minuteText, tableHtml, type Html } from './texts.ts'

const STATES: Readonly<Record<Freshness['state'], { level: string; text: string }>> = {
  fresh: { level: 'good', text: 'fresh' },
  ended: { level: 'good', text: 'ended' },
  stale: { level: 'warn', text: 'stale' },
  none: { level: 'quiet', text: 'nothing there' },
  empty: { level: 'quiet', text: 'empty at source' },
}

export function freshnessSection(freshness: readonly Freshness[]): Html {
  return html`<section id="freshness">
    <h2>Freshness</h2>
    ${
      freshness.length === 0
        ? html`<p class="quiet">No dataset is configured.</p>`
        : tableHtml(
            ['dataset', 'state', 'age', 'newest', 'stale after', 'stale since'],
            freshness.map((one) => [
              seriesText(one.order, one.granularity),
              html`<span class="mark ${STATES[one.state].level}">${STATES[one.state].text}</span>`,
              one.ageMs === null || one.state === 'ended' ? '-' : approximateDuration(one.ageMs),
              one.newestAt === null ? '-' : minuteText(one.newestAt),
              approximateDuration(one.allowedMs),
              one.state === 'stale' && one.staleSince !== null ? minuteText(one.staleSince) : '-',
            ]),
            [2, 4],
          )
    }
  </section>`
}
