import type { OperationId } from '../api/operations.ts'
import type { Clock } from '../config/clock.ts'
import type { Answer, Dataset, Row, RowSelection } from '../datasets/dataset.ts'
import type { AnswerSource } from './answer-source.ts'

/** Reads the rows of each selection. */
export type ReadRows = (selections: readonly RowSelection[]) => Promise<Row[][]>

/** Answers from rows: the dataset selects the rows of an operation and makes the body of them. */
export function answerFromRows(
  datasets: readonly Dataset[],
  clock: Clock,
  read: ReadRows,
): Omit<AnswerSource, 'close'> {
  const entries = datasets.flatMap((dataset) => Object.entries(dataset.answers))
  const answers = new Map(entries as [OperationId, Answer][])
  const ask: AnswerSource['answer'] = async (operation, params) => {
    if (operation === 'ping') return { kind: 'json', body: { status: 'OK' } }
    const answer = answers.get(operation)
    if (answer === undefined) return { kind: 'not_found' }
    const nowMs = clock.nowMs()
    const rows = await read(answer.select(params, nowMs))
    const body = answer.toBody(rows, params, nowMs)
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
