import { html } from 'hono/html'
import { count, counted } from '../../render/quantities.ts'
import type { RevisionFacts } from '../facts/revision-facts.ts'
import { cut, minuteText, tableHtml, type Html } from './texts.ts'

const MAX_VALUE_CHARS = 60

export function revisionSection({ rows, byTable, newest }: RevisionFacts): Html {
  return html`<section id="revisions">
    <h2>Revisions</h2>
    ${
      rows === 0
        ? html`<p class="quiet">No value has changed since it was final.</p>`
        : html`<p>
              The source changed <b>${counted(rows, 'row')}</b> that were final. Both values are
              kept.
            </p>
            ${tableHtml(
              ['table', 'rows', 'newest'],
              byTable.map((one) => [one.table, count(one.rows), minuteText(one.newest)]),
              [1],
            )}
            <details>
              <summary>The newest ${count(newest.length)}</summary>
              ${tableHtml(
                ['table', 'row', 'column', 'before', 'after', 'replaced'],
                newest.flatMap((one) =>
                  Object.entries(one.changed).map(([column, { before, after }]) => [
                    one.table,
                    Object.values(one.key).map(String).join(' '),
                    column,
                    valueText(before),
                    valueText(after),
                    minuteText(one.replacedAt),
                  ]),
                ),
                [3, 4],
              )}
            </details>`
    }
  </section>`
}

function valueText(value: unknown): string {
  return cut(typeof value === 'string' ? value : JSON.stringify(value), MAX_VALUE_CHARS)
}
