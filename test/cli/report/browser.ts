import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** The browser of this machine; null = there is none. Nothing is downloaded. */
export function findChromium(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const files = [
    process.env['CHROMIUM'] ?? '',
    ...NAMES.flatMap((name) => folders.map((dir) => join(dir, name))),
  ]
  return files.find((file) => file !== '' && existsSync(file)) ?? null
}

export async function launch(executablePath: string): Promise<Browser> {
  // As root, as in a container, the sandbox of Chromium does not start; the page is our own.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return await chromium.launch({ executablePath, args })
}

/** How a page comes out on one screen. */
export interface Seen {
  /** Messages on the console and errors of the page. */
  messages: string[]
  /** Everything that was asked for beside the page itself. */
  requests: string[]
  /** Pixels by which the page is wider than the screen. */
  overflow: number
  verdict: string
  /** Bottom of the verdict, pixels: it has to be seen without scrolling. */
  verdictEnd: number
  /** Drawings that can be seen, and those of them with something in them wider than the screen. */
  charts: { shown: number; cut: number }
  /** Colours of the page and of its text, as CSS says them. */
  colors: { page: string; text: string }
}

/** Opens a page from a file on a screen of its own, and looks at it. */
export async function look(
  browser: Browser,
  file: string,
  screen: { width: number; colorScheme: 'light' | 'dark' },
): Promise<Seen> {
  const { width, colorScheme } = screen
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme })
  const address = pathToFileURL(file).href
  const messages: string[] = []
  const requests: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  page.on('pageerror', (error) => messages.push(error.message))
  page.on('request', (request) => {
    if (request.url() !== address && request.url() !== 'data:,') requests.push(request.url())
  })
  try {
    await page.goto(address)
    await page.locator('details').evaluateAll('all => all.forEach((one) => { one.open = true })')
    const measured = await page.evaluate(MEASURE)
    return { messages, requests, ...(measured as Omit<Seen, 'messages' | 'requests'>) }
  } finally {
    await page.close()
  }
}

/** Runs in the page, which has types of its own. */
const MEASURE = `(() => {
  const width = document.documentElement.clientWidth
  const verdict = document.querySelector('#verdict')
  const shown = [...document.querySelectorAll('svg')].filter((one) => one.getClientRects().length > 0)
  const style = getComputedStyle(document.body)
  return {
    overflow: document.documentElement.scrollWidth - width,
    verdict: verdict.textContent.trim(),
    verdictEnd: verdict.getBoundingClientRect().bottom,
    charts: {
      shown: shown.length,
      cut: shown.filter((one) => one.getBoundingClientRect().right > width).length,
    },
    colors: { page: style.backgroundColor, text: style.color },
  }
})()`
