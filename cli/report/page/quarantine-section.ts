import { html } from 'hono/html'
import { count, counted } from '../../render/quantities.ts'
import type { QuarantineFacts } from '../facts/quarantine-facts.ts'
import { minuteText, tableHtml, type Html } from './texts.ts'

export function quarantineSection({ rows, byRule, newest }: QuarantineFacts): Html {
  return html`<section id="quarantine">
    <h2>Quarantine</h2>
    ${
      rows === 0
        ? html`<p class="quiet">Nothing is quarantined.</p>`
        : html`<p><b>${counted(rows, 'row')}</b> broke a rule and went to no table.</p>
            ${tableHtml(
              ['dataset', 'rule', 'rows', 'newest'],
              byRule.map((one) => [one.dataset, one.rule, count(one.rows), minuteText(one.newest)]),
              [2],
            )}
            <details>
              <summary>The newest ${count(newest.length)}</summary>
              ${tableHtml(
                ['dataset', 'rule', 'path', 'value', 'answered', 'id'],
                newest.map((one) => [
                  one.dataset,
                  one.rule,
                  html`<code>${one.path}</code>`,
                  html`<code class="value">${one.raw}</code>`,
                  minuteText(one.fetchedAt),
                  html`<code>${one.id}</code>`,
                ]),
              )}
            </details>`
    }
  </section>`
}
