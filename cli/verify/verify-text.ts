import { PUBLICATION_DAMAGE, STORE_DAMAGE } from '../../sinks/duckdb-store/as-sink-error.ts'
import type { Difference } from '../../sinks/verify/verify-source.ts'
import { seriesName } from '../gaps/gaps-text.ts'
import { alignColumns } from '../render/align-columns.ts'
import { counted, omittedLines } from '../render/quantities.ts'
import { isoMinute } from '../render/utc-text.ts'
import type { Repaired } from './repair-warehouse.ts'
import type { Verification } from './verification.ts'

const PLACES: Readonly<Record<Difference['place'], string>> = {
  store: 'the store',
  duckdb: 'the published file',
  parquet: 'the Parquet files',
  stage: 'the kept answers',
}

export function verifyText(found: Verification, limit: number): string[] {
  const { differences, places, partly, notes, repaired } = found
  const header = ['where', 'check', 'table', 'what', 'expected', 'found']
  const rows = differences.slice(0, limit).map(rowOf)
  return [
    ...(differences.length === 0 ? [] : alignColumns(header, rows)),
    ...omittedLines(differences.length, limit, 'difference'),
    ...notes,
    differences.length === 0
      ? `no difference: ${soundText(places, partly)}`
      : `${counted(differences.length, 'difference')} in ${namesOf(places)}`,
    ...(repaired === null ? toDo(differences) : doneText(repaired)),
  ]
}

function toDo(differences: readonly Difference[]): string[] {
  const has = (isMeant: (one: Difference) => boolean): boolean => differences.some(isMeant)
  if (has(({ place, check }) => place === 'store' && check === 'file')) {
    return [STORE_DAMAGE.hint.replace('it aside', 'what is left of the store aside')]
  }
  const lines: string[] = []
  if (has(({ place }) => place === 'store')) {
    lines.push(
      '`coinlake verify --repair` marks the damaged slices, `coinlake backfill` fetches them again',
    )
  } else if (has(({ place }) => place === 'duckdb' || place === 'parquet')) {
    lines.push(PUBLICATION_DAMAGE.hint)
  }
  if (has(({ place }) => place === 'stage')) {
    lines.push(
      '`coinlake verify --repair` moves damaged answers aside. Loaded rows stay, and only `coinlake restore` would miss them; the next backfill fetches answers that are not loaded yet',
    )
  }
  return lines
}

function doneText({ marked, past, published, left, movedAside }: Repaired): string[] {
  const lines: string[] = []
  if (marked.length > 0) {
    lines.push(
      `${counted(marked.length, 'slice')} marked as missing: \`coinlake backfill\` fetches marked slices again`,
    )
  }
  if (past.length > 0) {
    lines.push(
      `${counted(past.length, 'slice')} that the source cannot give again: left unchanged`,
      'if the stage has every answer (`stage.keep: forever`), move state/store.duckdb away: `coinlake restore` rebuilds it from them',
    )
  }
  if (published.length > 0) lines.push(`published again, without a call: ${namesOf(published)}`)
  if (left.length > 0) {
    lines.push(
      `left unchanged: ${namesOf(left)}; \`sinks\` does not name ${left.join(', ')}: add it there, or move the publication away`,
    )
  }
  if (movedAside > 0) lines.push(`${counted(movedAside, 'damaged answer')} moved to stage/damaged`)
  return lines.length > 0 ? lines : ['no slice of this can be fetched again']
}

/** The line when nothing differs, which claims only compared parts. */
function soundText(places: Verification['places'], partly: Verification['partly']): string {
  const whole = places.filter((place) => place !== 'stage' && !partly.includes(place))
  const isOne = whole.length === 1 && whole[0] !== 'parquet'
  const parts = []
  if (whole.length > 0) {
    parts.push(`${namesOf(whole)} ${isOne ? 'holds' : 'hold'} exactly what was loaded`)
  }
  if (partly.length > 0) parts.push(`${namesOf(partly)}, as far as was compared`)
  return parts.join('; ')
}

function namesOf(places: Verification['places']): string {
  return places.map((place) => PLACES[place]).join(', ')
}

function rowOf(one: Difference): string[] {
  const { place, check, table, slice, what, expected, found } = one
  const where = slice === null ? what : sliceText(slice, what)
  return [place, check, table ?? '-', where, expected, found]
}

function sliceText(slice: NonNullable<Difference['slice']>, what: string): string {
  return `${seriesName(slice)} ${isoMinute(slice.fromMs)} to ${isoMinute(slice.toMs)}: ${what}`
}
