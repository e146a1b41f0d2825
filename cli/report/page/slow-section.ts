import { html } from 'hono/html'
import { count } from '../../render/quantities.ts'
import type { SlowSlice } from '../facts/slow-slices.ts'
import { boundText, seriesText, tableHtml } from './texts.ts'
import type { Html } from './texts.ts'

/** The slices that the source took longest to answer. */
export function slowSection(slices: readonly SlowSlice[]): Html {
  return html`<section id="slowest">
    <h2>Slowest slices</h2>
    ${
      slices.length === 0
        ? html`<p class="quiet">No slice was fetched yet.</p>`
        : tableHtml(
            ['slice', 'from', 'to', 'answers took', 'slowest', 'calls', 'state'],
            slices.map((one) => [
              seriesText(one),
              boundText(one.from),
              boundText(one.to),
              secondsText(one.totalMs),
              secondsText(one.slowestMs),
              count(one.calls),
              one.state,
            ]),
            [3, 4, 5],
          )
    }
  </section>`
}

function secondsText(ms: number): string {
  return ms < 1000 ? `${count(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
