import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import { html, raw } from 'hono/html'
import type { Html } from './texts.ts'

/** Every chart is drawn in both widths; the style sheet shows the fitting one. */
const WIDTHS = { wide: 920, narrow: 350 } as const

/**
 * Draws a chart as SVG text, once for wide and once for narrow screens. Scaled text would be too small on a phone.
 * Colours are CSS variables for light and dark. The document escapes ids and names as text nodes.
 *
 * @param label description for people who cannot see the chart
 */
export function drawSvg(
  label: string,
  options: (canvas: { width: number; isNarrow: boolean }) => Plot.PlotOptions,
): Html {
  const drawn = (['wide', 'narrow'] as const).map((name) => {
    const { document } = parseHTML('<!doctype html><html><body></body></html>')
    const isNarrow = name === 'narrow'
    const width = WIDTHS[name]
    const svg = Plot.plot({ document, width, figure: false, ...options({ width, isNarrow }) })
    svg.setAttribute('class', name)
    // The page's own style sheet replaces it.
    svg.querySelector('style')?.remove()
    return svg.outerHTML
  })
  return html`<div role="img" aria-label="${label}">${raw(drawn.join('\n'))}</div>`
}
