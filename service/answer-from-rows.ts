import type { Clock } from '../config/clock.ts'
import type { Dataset, Row, RowSelection } from '../datasets/dataset.ts'
import type { AnswerSource } from './answer-source.ts'

/**
 * Answers from rows: the dataset selects the rows of an operation and makes the body of them.
 *
 * @param read the rows of each selection
 * @param hasTable whether a table is there, though it may be empty; by default all are
 */
export function answerFromRows(
  datasets: readonly Dataset[],
  clock: Clock,
  read: (selections: readonly RowSelection[]) => Promise<Row[][]>,
  hasTable: (table: string) => boolean = () => true,
): Omit<AnswerSource, 'close'> {
  const answers = new Map(
    datasets.flatMap(({ answers: own, tables }) =>
      Object.entries(own).map(([id, answer]) => [id, { answer, tables }] as const),
    ),
  )
  const ask: AnswerSource['answer'] = async (operation, params) => {
    if (operation === 'ping') return { kind: 'json', body: { status: 'OK' } }
    const known = answers.get(operation)
    if (known === undefined) return { kind: 'not_found' }
    const { answer, tables } = known
    const nowMs = clock.nowMs()
    const selections = answer.select(params, nowMs)
    const own = tables.map(({ name }) => name)
    const asked = selections.map(({ table }) => table)
    const canStandIn =
      answer.hasStandIns && asked.some((name) => !own.includes(name) && hasTable(name))
    if (!canStandIn && !own.some(hasTable)) return { kind: 'no_data' }
    const rows = await read(selections)
    // No row, and no table to stand in: empty lists would say that nothing was found.
    const isFound = canStandIn || !answer.hasStandIns || rows.some(({ length }) => length > 0)
    const body = isFound ? answer.toBody(rows, params, nowMs) : null
    return body === null ? { kind: 'not_found' } : { kind: 'json', body }
  }
  return {
    clock,
    answer: ask,
    currencies: async () => {
      const answered = await ask('simple/supported_vs_currencies', {})
      const codes = answered.kind === 'json' && Array.isArray(answered.body) ? answered.body : []
      return new Set(codes.map(String))
    },
  }
}
