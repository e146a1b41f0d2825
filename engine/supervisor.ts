import { supervise } from './supervise.ts'
import type { SupervisorOptions } from './supervisor-options.ts'

// The script of the detached process that keeps one server (see supervise.ts). Started by lease-server.ts.
await supervise(JSON.parse(process.argv[2] ?? '{}') as SupervisorOptions)
