import { openTestStore } from './open-test-store.ts'

/** A process that holds a store open until its stdin ends. */
const store = await openTestStore(process.argv[2] ?? '')
process.stdout.write('open\n')
for await (const _ of process.stdin);
await store.close()
