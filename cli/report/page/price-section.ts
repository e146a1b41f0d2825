import * as Plot from '@observablehq/plot'
import { html } from 'hono/html'
import { GRANULARITY_MS } from '../../../api/granularity.ts'
import type { PriceFacts } from '../facts/price-facts.ts'
import { drawSvg } from './draw-svg.ts'
import { minuteText, quiet, section, type Html } from './texts.ts'
import { timeAxis } from './time-axis.ts'

const HEIGHT_PX = 240
/** The line breaks at longer gaps. Points jitter by minutes, so the limit is no whole step. */
const HOLE_STEPS = 2.5
const NUMBER = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 8 })

export function priceSection(prices: PriceFacts | null): Html {
  const isAny = prices !== null && prices.points.length > 0
  return section('prices', 'Price', isAny ? pricesHtml(prices) : quiet('No price is published.'))
}

function pricesHtml(prices: PriceFacts): Html {
  const { coinId, vsCurrency, granularity, points, candles } = prices
  const last = points.at(-1)!
  const step = granularity === '1h' ? 'hourly' : 'daily'
  const name = `${coinId} in ${vsCurrency}`
  return html`<p>
      <b>${name}</b>: ${NUMBER.format(last.price)} at ${minuteText(last.at)}; ${step} prices since
      ${points[0]!.at.slice(0, 10)}.
    </p>
    <figure>
      <figcaption>price, ${step}</figcaption>
      ${drawLine(prices, `Price of ${name}, ${step}`)}
    </figure>
    ${
      candles === null
        ? quiet(`No candle of ${name} is published.`)
        : html`<figure>
            <figcaption>
              candles of ${candles.granularity === '1d' ? 'a day' : '4 days'}, the last
              ${candles.rows.length}; <span class="up">up</span> <span class="down">down</span>
            </figcaption>
            ${drawCandles(candles, `Candles of ${name}`)}
          </figure>`
    }`
}

function drawLine({ points, granularity }: PriceFacts, label: string) {
  const holeMs = HOLE_STEPS * GRANULARITY_MS[granularity]
  const line: { at: Date; price: number }[] = []
  for (const { at, price } of points) {
    const time = new Date(at)
    const before = line.at(-1)
    if (before !== undefined && time.getTime() - before.at.getTime() > holeMs) {
      line.push({ at: new Date(before.at.getTime() + 1), price: Number.NaN })
    }
    line.push({ at: time, price })
  }
  return drawSvg(label, ({ isNarrow }) => ({
    ...axes(line[0]!.at, line.at(-1)!.at, isNarrow),
    marks: [Plot.lineY(line, { x: 'at', y: 'price', stroke: 'var(--line)', strokeWidth: 1.25 })],
  }))
}

function drawCandles({ rows, granularity }: NonNullable<PriceFacts['candles']>, label: string) {
  const candles = rows.map((row) => {
    const at = new Date(row.at)
    const { open, high, low, close } = row
    const title = `${minuteText(row.at)}: open ${NUMBER.format(open)}, high ${NUMBER.format(high)}, low ${NUMBER.format(low)}, close ${NUMBER.format(close)}`
    return { ...row, at, title, end: new Date(at.getTime() + GRANULARITY_MS[granularity]) }
  })
  const parts = [
    { color: 'var(--up)', rows: candles.filter(({ open, close }) => close >= open) },
    { color: 'var(--down)', rows: candles.filter(({ open, close }) => close < open) },
  ]
  return drawSvg(label, ({ isNarrow, width }) => ({
    ...axes(candles[0]!.at, candles.at(-1)!.end, isNarrow),
    marks: parts.flatMap(({ color, rows: some }) => [
      Plot.ruleX(some, { x: 'at', y1: 'low', y2: 'high', stroke: color, title: 'title' }),
      Plot.ruleX(some, {
        x: 'at',
        y1: 'open',
        y2: 'close',
        stroke: color,
        strokeWidth: Math.max(2, Math.min(9, (width - 80) / candles.length - 1.5)),
        title: 'title',
      }),
    ]),
  }))
}

function axes(from: Date, to: Date, isNarrow: boolean): Plot.PlotOptions {
  return {
    height: HEIGHT_PX,
    marginLeft: 62,
    marginRight: 18,
    marginBottom: 32,
    x: timeAxis(from, to, isNarrow),
    y: { label: null, grid: true, ticks: 5, zero: false, nice: true },
  }
}
