import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import { html, raw } from 'hono/html'
import type { Html } from './texts.ts'

/** Every chart is drawn in both widths; the style sheet shows the fitting one. */
const WIDTHS = { wide: 920, narrow: 350 } as const

export interface Canvas {
  width: number
  isNarrow: boolean
}

/** Decimals of a pixel beyond the visible ones. */
const DECIMALS_PATTERN = /(\.\d{2})\d+/g
const GEOMETRY = ['d', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'width', 'height', 'transform']

/**
 * Draws a chart as SVG text, once for wide and once for narrow screens. Scaled text would be too small on a phone.
 * Colours are CSS variables for light and dark. The document escapes ids and names as text nodes.
 *
 * @param label description for people who cannot see the chart
 */
export function drawSvg(label: string, options: (canvas: Canvas) => Plot.PlotOptions): Html {
  const drawn = (['wide', 'narrow'] as const).map((name) => {
    const { document } = parseHTML('<!doctype html><html><body></body></html>')
    const isNarrow = name === 'narrow'
    const width = WIDTHS[name]
    const svg = Plot.plot({
      document,
      width,
      figure: false,
      ...options({ width, isNarrow }),
    })
    svg.setAttribute('class', name)
    // The page's own style sheet replaces it.
    svg.querySelector('style')?.remove()
    for (const element of svg.querySelectorAll('*')) {
      for (const attribute of GEOMETRY) {
        const value = element.getAttribute(attribute)
        if (value !== null)
          element.setAttribute(attribute, value.replaceAll(DECIMALS_PATTERN, '$1'))
      }
    }
    return svg.outerHTML
  })
  return html`<div role="img" aria-label="${label}">${raw(drawn.join('\n'))}</div>`
}
