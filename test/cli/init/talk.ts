import { PassThrough, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { type Captured, runCaptured } from '../../parts/run-captured.ts'

export const KEYS = {
  enter: '\r',
  down: '\u001b[B',
  space: ' ',
  escape: '\u001b',
  ctrlC: '\u0003',
  /** Empties the line. */
  ctrlU: '\u0015',
}

/** The words to type once the terminal shows a text; null: the input ends there. */
export type Turn = readonly [shows: string, keys: string | null]

export interface Talk extends Captured {
  /** Everything the terminal was sent, without colours and cursor moves. */
  screen: string
  /** The output between a turn and the one before it. */
  parts: string[]
}

/** Longer than the slowest price takes on a busy machine. */
const SILENCE_MS = 20_000

/**
 * Runs a command on a terminal of its own: 200 columns, keys typed one turn after the other. A turn
 * whose text never appears ends with the command, and `parts` is short of it.
 */
export async function talk(
  argv: readonly string[],
  cwd: string,
  turns: readonly Turn[],
): Promise<Talk> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin })
  const left = [...turns]
  const parts: string[] = []
  let screen = ''
  let seen = 0
  const answer = (): void => {
    const [turn] = left
    if (turn === undefined) return
    if (screen.indexOf(turn[0], seen) === -1) return
    left.shift()
    parts.push(screen.slice(seen))
    seen = screen.length
    if (turn[1] === null) stdin.end()
    else stdin.write(turn[1])
  }
  // A question that no turn answers is no reason to wait for ever.
  const giveUp = setTimeout(() => stdin.end(), SILENCE_MS)
  const stderr = new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      giveUp.refresh()
      screen += stripVTControlCharacters(String(chunk))
      // A question is written piece by piece, all of it in one go.
      setImmediate(answer)
      done()
    },
  })
  Object.assign(stderr, { isTTY: true, columns: 200, rows: 60 })
  const ended = await runCaptured(argv, { cwd, stdin, stderr, isLive: true })
  clearTimeout(giveUp)
  return { ...ended, stderr: screen, screen, parts }
}
