import { html } from 'hono/html'
import type { Slice } from '../../../datasets/dataset.ts'

/** The result of the template tag, already escaped. */
export type Html = ReturnType<typeof html>

/** Longer ids are cut, because one may be a csv of hundreds. */
const MAX_NAME_CHARS = 48

export function section(id: string, title: string, content: unknown): Html {
  return html`<section id="${id}">
    <h2>${title}</h2>
    ${content}
  </section>`
}

export function quiet(text: string): Html {
  return html`<p class="quiet">${text}</p>`
}

/** Content behind a summary, which opens it. */
export function folded(summary: string, content: unknown): Html {
  return html`<details>
    <summary>${summary}</summary>
    ${content}
  </details>`
}

export function legend(parts: readonly { color: string; meaning: string }[]): Html {
  return html`<ul class="legend">
    ${parts.map(
      ({ color, meaning }) =>
        html`<li><span class="swatch" style="background:${color}"></span>${meaning}</li>`,
    )}
  </ul>`
}

/** A time to the minute: `2024-04-10 05:30`. The page names UTC once. */
export function minuteText(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ')
}

/** The name of a series, its ids cut. */
export function cutSeriesName(one: Omit<Slice, 'fromMs' | 'toMs'>): string {
  const parts = [one.dataset, cut(one.entity, MAX_NAME_CHARS), one.vsCurrency, one.granularity]
  return parts.filter((part) => part !== '').join(' ')
}

/** A text of at most `max` characters; the last is an ellipsis after a cut. */
export function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}\u2026` : text
}

/** A sentence, with `words` between backticks as code. */
export function prose(text: string): Html[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

/** A bound of a slice; only the day if it is midnight. */
export function boundText(iso: string): string {
  return minuteText(iso).replace(/ 00:00$/, '')
}

/** A table that scrolls in its own box; `numbers` are the right-aligned columns. */
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
