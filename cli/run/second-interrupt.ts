import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'

/**
 * Counts the Ctrl-C that the terminal sends to the whole group. Two seconds after the second Ctrl-C the shell kills the
 * process $1, if that still lives. `cat` ends when the process has closed the other end of its input.
 */
const COUNT = `n=0
trap 'n=$((n+1))' INT
exec 3<&0
cat <&3 >/dev/null &
while kill -0 $! 2>/dev/null; do
  wait $!
  if [ $n -ge 2 ]; then
    sleep 2
    kill -0 $! 2>/dev/null && kill -KILL $1
    exit
  fi
done`

let isWatched = false

/**
 * Makes the second Ctrl-C end this process also while its thread is busy and runs no handler. A shell of one megabyte
 * listens beside the process if there is a terminal. Signals to this process alone (kill -INT) do not reach the shell.
 */
export function endBySecondInterrupt(): void {
  if (isWatched || !hasTerminal()) return
  isWatched = true
  const args = ['-c', COUNT, 'coinlake-interrupts', String(process.pid)]
  const shell = spawn('/bin/sh', args, { stdio: ['pipe', 'ignore', 'ignore'] })
  // Without a shell the handlers still work while the thread is idle.
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  shell.unref()
  // The pipe is a socket, which keeps the process alive unless it is unref'd.
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref()
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
