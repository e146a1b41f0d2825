import type { CliCommand } from '../command.ts'
import { cancel, pause, resume } from './control.ts'
import { query } from './query.ts'
import { server } from './server.ts'
import { status } from './status.ts'

/** Every verb, in the order of `coinlake --help`: groups as a person meets them. */
export const commands: readonly CliCommand[] = [pause, resume, cancel, status, query, server]
