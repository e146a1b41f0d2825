import { html } from 'hono/html'

/** The result of the template tag: escaped once, and taken unchanged by other templates. */
export type Html = ReturnType<typeof html>

/** Ids can be a csv of hundreds. */
const MAX_NAME_CHARS = 48

/** An instant to the minute: `2024-04-10 05:30`; UTC is said once on the page. */
export function minuteText(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ')
}

/** The parts of a series' name that there are, cut where it is a list of many ids. */
export function seriesText(one: {
  dataset?: string
  entity: string
  vsCurrency: string
  granularity: string
}): string {
  const parts = [
    one.dataset ?? '',
    cut(one.entity, MAX_NAME_CHARS),
    one.vsCurrency,
    one.granularity,
  ]
  return parts.filter((part) => part !== '').join(' ')
}

/** At most this many characters; the last is an ellipsis after a cut. */
export function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}\u2026` : text
}

/** A sentence in which `words` between backticks are code. */
export function prose(text: string): Html[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

/** A bound of a slice: the day alone where it is midnight. */
export function boundText(iso: string): string {
  return minuteText(iso).replace(/ 00:00$/, '')
}

/** A table that scrolls in its own box; `numbers` are the columns that are right-aligned. */
export function tableHtml(
  header: readonly string[],
  rows: readonly (readonly unknown[])[],
  numbers: readonly number[] = [],
): Html {
  const kind = (index: number): string => (numbers.includes(index) ? 'number' : 'text')
  return html`<div class="scroll" tabindex="0">
    <table>
      <thead>
        <tr>
          ${header.map((name, index) => html`<th scope="col" class="${kind(index)}">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell, index) => html`<td class="${kind(index)}">${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
