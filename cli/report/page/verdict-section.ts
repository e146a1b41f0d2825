import { html } from 'hono/html'
import { approximateDuration, count } from '../../render/quantities.ts'
import type { Freshness } from '../../freshness/freshness-facts.ts'
import type { ReportFacts } from '../facts/report-facts.ts'
import { freshest } from '../facts/verdict-facts.ts'
import { prose, type Html } from './texts.ts'

export function verdictSection(facts: ReportFacts): Html {
  const { verdict, notes } = facts
  const rest = verdict.sentence.slice(verdict.word.length)
  return html`<header>
    <p id="verdict" class="verdict ${verdict.level}"><b>${verdict.word}</b>${rest}</p>
    ${
      verdict.next.length > 0 &&
      html`<ol class="next" aria-label="What to do next">
        ${verdict.next.map(
          ({ command, why }) =>
            html`<li>${command && html`<code>${command}</code> `}${prose(why)}</li>`,
        )}
      </ol>`
    }
    ${notes.map((note) => html`<p class="box warn">${prose(note)}</p>`)}
    <ul class="tiles">
      ${tilesOf(facts).map(
        ({ href, name, value, level }) =>
          html`<li>
            <a class="tile ${level}" href="${href}"><b>${value}</b><span>${name}</span></a>
          </li>`,
      )}
    </ul>
  </header>`
}

function tilesOf({ run, gaps, quarantine, revisions, budget, freshness }: ReportFacts) {
  const failed = run.report?.slices.failed ?? null
  const missing = run.report?.slices.missing ?? 0
  const newest = freshest(freshness)
  const stale = freshness.filter(({ state }) => state === 'stale').length
  return [
    {
      href: '#freshness',
      name: stale > 1 ? `newest point; ${count(stale)} datasets stale` : 'newest point',
      value: newestText(newest),
      level: newest === undefined ? 'quiet' : stale > 0 ? 'warn' : 'good',
    },
    {
      href: '#gaps',
      name: 'series with gaps',
      value: gaps === null ? '-' : `${count(gaps.seriesWithHoles)} of ${count(gaps.series)}`,
      level: gaps === null ? 'quiet' : gaps.seriesWithHoles > 0 ? 'bad' : 'good',
    },
    {
      href: '#run',
      name: missing > 0 ? 'slices failed or not fetched' : 'slices failed',
      value: failed === null ? '-' : count(failed + missing),
      level: failed === null ? 'quiet' : failed + missing > 0 ? 'bad' : 'good',
    },
    {
      href: '#quarantine',
      name: 'rows quarantined',
      value: count(quarantine.rows - quarantine.notListed),
      level: quarantine.rows > quarantine.notListed ? 'warn' : 'good',
    },
    {
      href: '#budget',
      name: budget.throttled > 0 ? `calls, ${count(budget.throttled)} told to wait` : 'calls',
      value: count(budget.calls),
      level: 'quiet',
    },
    { href: '#revisions', name: 'rows revised', value: count(revisions.rows), level: 'quiet' },
  ]
}

/** An age, or the last day of an ended order. */
function newestText(newest: Freshness | undefined): string {
  if (newest?.ageMs === undefined || newest.ageMs === null) return '-'
  return newest.state === 'ended'
    ? newest.newestAt!.slice(0, 10)
    : approximateDuration(newest.ageMs)
}
