// npm run pictures: fills the demo's warehouse, and takes the README's pictures of its report and of a terminal. Needs
// Chromium on PATH or named by CHROMIUM.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { findChromium, launch } from '../test/cli/report/browser.ts'

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url))
const PICTURES = join(REPOSITORY, 'docs', 'pictures')
const REPORT_PX = { width: 1280, height: 900 }
const TERMINAL_PX = 970
const TERMINAL_STYLE = `
body { margin: 0; padding: 14px 18px; background: #1a2029; color: #e4e8ee; }
pre { margin: 0; font: 13px/1.45 monospace; }
b { color: #7fb5ef; font-weight: 400; }
`
const COMMANDS: readonly (readonly string[])[] = [
  ['status'],
  [
    'query',
    '-f',
    'table',
    'SELECT coin_id, as_of, price FROM daily_prices ORDER BY as_of DESC, price DESC LIMIT 4',
  ],
]

const chromium = findChromium()
if (chromium === null) throw new Error('no Chromium on PATH, and none named by CHROMIUM')
const folder = mkdtempSync(join(tmpdir(), 'coinlake-'))
const home = join(folder, 'demo')
const browser = await launch(chromium)
try {
  coinlake(folder, 'demo')
  const report = join(folder, 'report.html')
  coinlake(home, 'report', '-o', report)
  const page = await browser.newPage({ viewport: REPORT_PX, colorScheme: 'light' })
  await page.goto(pathToFileURL(report).href)
  await saveScreenshot(page, 'report-1280-light.png')
  await terminal(browser)
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Commands and their output, as in a terminal. */
async function terminal(of: Browser): Promise<void> {
  const page = await of.newPage({ viewport: { width: TERMINAL_PX, height: 1 } })
  const shown = COMMANDS.map((args) => {
    const line = `$ npx coinlake ${args.map(quoted).join(' ')}`
    return `<b>${escaped(line)}</b>\n${escaped(coinlake(home, ...args))}`
  })
  await page.setContent(`<style>${TERMINAL_STYLE}</style><pre>${shown.join('\n')}</pre>`)
  await saveScreenshot(page, 'terminal.png')
}

async function saveScreenshot(
  page: Awaited<ReturnType<Browser['newPage']>>,
  name: string,
): Promise<void> {
  const path = join(PICTURES, name)
  await page.screenshot({ path, fullPage: name === 'terminal.png' })
  await page.close()
  console.log(path)
}

function coinlake(cwd: string, ...args: string[]): string {
  const script = join(REPOSITORY, 'bin', 'coinlake.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function quoted(arg: string): string {
  return arg.includes(' ') ? `"${arg}"` : arg
}
