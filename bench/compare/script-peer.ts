import { mkdirSync, rmSync } from 'node:fs'
import { measureTree } from '../machine/measure.ts'
import type { Peer, PeerWork } from './peer.ts'
import { peerRun } from './peer-run.ts'
import { endProcessesIn } from '../machine/processes-in.ts'

/** A command that does the work, and prints the number of rows as its last line. */
export interface PeerScript extends Pick<Peer, 'name' | 'table'> {
  command: string
  args(work: PeerWork): string[]
  env?: (work: PeerWork) => NodeJS.ProcessEnv
  /** Writes the files of the command into the folder, which exists. */
  prepare?: (work: PeerWork) => void
}

/** A command that runs longer hangs: the slowest known one takes a twentieth. */
const LIMIT_MS = 1_200_000
/** The last lines of an error output say what happened. */
const TOLD_LINES = 3

/** A peer that is a command. Processes that it leaves running in its folder are killed. */
export function scriptPeer(script: PeerScript): Peer {
  return {
    name: script.name,
    table: (work) => script.table(work),
    async run(work) {
      if (work.isAgain !== true) rmSync(work.dir, { recursive: true, force: true })
      mkdirSync(work.dir, { recursive: true })
      script.prepare?.(work)
      const measured = await measureTree(script.command, script.args(work), {
        cwd: work.dir,
        env: { ...process.env, ...script.env?.(work) },
        groupOf: () => script.name,
        limitMs: LIMIT_MS,
      })
      endProcessesIn(work.dir)
      const times = await work.service.takeTimes()
      const { exitCode, stdout, stderr } = measured
      if (exitCode !== 0) {
        const end = `${stdout}\n${stderr}`.trim().split('\n').slice(-TOLD_LINES).join(' ')
        throw new Error(`ended with ${exitCode ?? 'a signal'}: ${end}`)
      }
      return peerRun(measured, times, Number(stdout.trim().split('\n').at(-1)))
    },
  }
}
