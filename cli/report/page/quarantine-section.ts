import { html } from 'hono/html'
import { count, counted } from '../../render/quantities.ts'
import type { QuarantineFacts } from '../facts/quarantine-facts.ts'
import { folded, minuteText, quiet, section, tableHtml, type Html } from './texts.ts'

export function quarantineSection({ rows, byRule, newest }: QuarantineFacts): Html {
  if (rows === 0) return section('quarantine', 'Quarantine', quiet('Nothing is quarantined.'))
  const rules = byRule.map((one) => [
    one.dataset,
    one.rule,
    count(one.rows),
    minuteText(one.newest),
  ])
  const details = newest.map((one) => [
    one.dataset,
    one.rule,
    html`<code>${one.path}</code>`,
    html`<code class="value">${one.raw}</code>`,
    minuteText(one.fetchedAt),
    html`<code>${one.id}</code>`,
  ])
  return section('quarantine', 'Quarantine', [
    html`<p><b>${counted(rows, 'row')}</b> broke a rule and went to no table.</p>`,
    tableHtml(['dataset', 'rule', 'rows', 'newest'], rules, [2]),
    folded(
      `The newest ${count(newest.length)}`,
      tableHtml(['dataset', 'rule', 'path', 'value', 'answered', 'id'], details),
    ),
  ])
}
