import { counted } from '../render/quantities.ts'
import type { Finding, Verdict } from './finding.ts'

const SIGNS: Record<Verdict, string> = { ok: 'ok', warning: 'warn', fault: 'FAULT', skipped: '-' }
const COLORS = { ok: 'green', warning: 'yellow', fault: 'red', skipped: 'dim' } as const
const SIGN_WIDTH = 5

type Paint = (format: 'green' | 'yellow' | 'red' | 'dim' | 'cyan', text: string) => string

/** A line for each look, what to do below those that found something, and a last line that adds up. */
export function doctorLines(
  findings: readonly Finding[],
  paint: Paint = (_, text) => text,
): string[] {
  const width = Math.max(...findings.map(({ about }) => about.length))
  const indent = ' '.repeat(SIGN_WIDTH + 1 + width + 2)
  const lines = findings.flatMap(({ about, verdict, what, code, hint }) => {
    const sign = paint(COLORS[verdict], SIGNS[verdict].padEnd(SIGN_WIDTH))
    const text = code === null ? what : `${what} [${code}]`
    const line = `${sign} ${about.padEnd(width)}  ${text}`
    return hint === null ? [line] : [line, `${indent}${paint('cyan', 'do')}: ${hint}`]
  })
  return [...lines, summary(findings)]
}

function summary(findings: readonly Finding[]): string {
  const number = (verdict: Verdict): number =>
    findings.filter((finding) => finding.verdict === verdict).length
  const faults = number('fault')
  const warnings = number('warning')
  if (faults > 0) return `${counted(faults, 'fault')}: mend them from the top down.`
  if (warnings > 0) return `No fault, ${counted(warnings, 'warning')}: a run can be made.`
  return 'All well: a run can be made.'
}
