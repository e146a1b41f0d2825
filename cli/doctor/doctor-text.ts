import { counted } from '../render/quantities.ts'
import type { Line } from '../effects.ts'
import type { Finding, Verdict } from './finding.ts'

const SIGNS: Record<Verdict, string> = { ok: 'ok', warning: 'warn', fault: 'FAULT', skipped: '-' }
const COLORS = { ok: 'green', warning: 'yellow', fault: 'red', skipped: 'dim' } as const
const SIGN_WIDTH = 5

export function doctorLines(findings: readonly Finding[]): Line[] {
  const width = Math.max(...findings.map(({ about }) => about.length))
  const indent = ' '.repeat(SIGN_WIDTH + 1 + width + 2)
  const lines = findings.flatMap(({ about, verdict, what, code, hint }) => {
    const found = code === null ? what : `${what} [${code}]`
    const line: Line = {
      lead: SIGNS[verdict].padEnd(SIGN_WIDTH),
      color: COLORS[verdict],
      text: ` ${about.padEnd(width)}  ${found}`,
    }
    const toDo: Line = { lead: `${indent}do`, color: 'cyan', text: `: ${hint}` }
    return hint === null ? [line] : [line, toDo]
  })
  return [...lines, summary(findings)]
}

function summary(findings: readonly Finding[]): string {
  const number = (verdict: Verdict): number =>
    findings.filter((finding) => finding.verdict === verdict).length
  const faults = number('fault')
  const warnings = number('warning')
  if (faults > 0) return `${counted(faults, 'fault')} to mend, from the top down.`
  const found = warnings > 0 ? `No fault, ${counted(warnings, 'warning')}` : 'No fault'
  const unchecked = findings.filter(({ verdict }) => verdict === 'skipped')
  if (unchecked.length > 0) {
    return `${found}; not checked: ${unchecked.map(({ about }) => about).join(', ')}.`
  }
  return `${warnings > 0 ? found : 'All well'}: a run can be made.`
}
