import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import { html, raw } from 'hono/html'
import type { Html } from './texts.ts'

/** Widths that every chart is drawn at; the style sheet shows the one that fits the screen. */
const WIDTHS = { wide: 920, narrow: 350 } as const

/** Which screen a chart is drawn for. */
export interface Canvas {
  width: number
  isNarrow: boolean
}

/** As many decimals of a pixel as can be seen. */
const DECIMALS = /(\.\d{2})\d+/g
const GEOMETRY = ['d', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'width', 'height', 'transform']

/**
 * Draws a chart as SVG text for the page, once for wide and once for narrow screens: text that is scaled
 * down with its picture cannot be read on a phone. Colours are CSS variables, so light and dark are left to
 * the style sheet. Ids and names go in as text nodes and are escaped by the document.
 *
 * @param label what the chart shows, for who cannot see it
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
    // Its rules name the class that is gone, and are in the page's own style sheet.
    svg.querySelector('style')?.remove()
    for (const element of svg.querySelectorAll('*')) {
      for (const attribute of GEOMETRY) {
        const value = element.getAttribute(attribute)
        if (value !== null) element.setAttribute(attribute, value.replaceAll(DECIMALS, '$1'))
      }
    }
    return svg.outerHTML
  })
  return html`<div role="img" aria-label="${label}">${raw(drawn.join('\n'))}</div>`
}
