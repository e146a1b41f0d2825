import { html, raw } from 'hono/html'
import { printableLines } from '../../../config/values/foreign-text.ts'
import type { ReportFacts } from '../facts/report-facts.ts'
import { budgetSection } from './budget-section.ts'
import { coverageSection } from './coverage-section.ts'
import { freshnessSection } from './freshness-section.ts'
import { gapSection } from './gap-section.ts'
import { PAGE_STYLE } from './page-style.ts'
import { priceSection } from './price-section.ts'
import { quarantineSection } from './quarantine-section.ts'
import { revisionSection } from './revision-section.ts'
import { runSection } from './run-section.ts'
import { minuteText } from './texts.ts'
import { verdictSection } from './verdict-section.ts'

/** The page loads and runs nothing, and this policy makes the browser refuse both. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/** The whole page as one HTML text, without scripts and links to other files. */
export async function reportPage(facts: ReportFacts): Promise<string> {
  const { verdict, warehouse, madeAt, coinlakeVersion, run } = facts
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${verdict.word}: coinlake report</title>
        <link rel="icon" href="data:," />
        <style>
          ${raw(PAGE_STYLE)}
        </style>
      </head>
      <body>
        <div class="top">
          <h1>coinlake report</h1>
          <p>
            <code>${warehouse}</code>, ${minuteText(madeAt)}, coinlake ${coinlakeVersion}. All times
            are UTC.
          </p>
        </div>
        ${verdictSection(facts)}
        <main>
          ${freshnessSection(facts.freshness)} ${coverageSection(facts.coverage)}
          ${gapSection(facts.gaps)} ${runSection(run)} ${quarantineSection(facts.quarantine)}
          ${revisionSection(facts.revisions)} ${budgetSection(facts.budget)}
          ${priceSection(facts.prices)}
        </main>
      </body>
    </html> `
  // The templates escape tags. Here other characters that a browser obeys are escaped.
  return `${printableLines(String(await page))}\n`
}
