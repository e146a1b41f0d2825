// `npm run bundle`, and prepack: makes dist/bundle/, the command line in fewer files, with the libraries that are plain
// JavaScript and always loaded. Finding and reading 700 modules would take a command as long as its work. Runs on the
// locked Node, which reads .ts.
import { copyFileSync, existsSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { workflowBundle } from '../engine/workflow-bundle.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Bundled libraries. The others have native parts, or few commands load them. */
const BUNDLED =
  /^(@duckdb\/node-api|@grpc|@js-sdsl|@protobufjs|@temporalio|apache-arrow|commander|croner|flatbuffers|has-flag|heap-js|lodash\.camelcase|long|lru-cache|ms|nexus-rpc|p-limit|protobufjs|rxjs|smol-toml|source-map|supports-color|tslib|undici|uuid|yaml|yocto-queue|zod)($|\/)/

/** An expression that finds the SDK's own dependencies, which are not among coinlake's. */
const FROM_SDK =
  "(({ createRequire }) => createRequire(createRequire(import.meta.url).resolve('@temporalio/worker')))(require('node:module'))"
/** Texts that find files beside Temporal's SDK or its modules, and their replacements in the bundle. */
const FOUND_BESIDE = {
  '/engine/workflow-thread.ts': [
    'createRequire(import.meta.url).resolve(THREAD_MODULE)',
    "new URL('./workflow-worker-thread.js', import.meta.url)",
  ],
  '/@temporalio/core-bridge/common.js': [
    '__dirname',
    `path.dirname(${FROM_SDK}.resolve('@temporalio/core-bridge'))`,
  ],
  '/source-map/lib/read-wasm.js': [
    'path.join(__dirname, "mappings.wasm")',
    `${FROM_SDK}.resolve('source-map/lib/mappings.wasm')`,
  ],
}
/** The bundler of workflows brings webpack (a hundred modules), so it is loaded on demand from where it is installed. */
const BUNDLER = `
exports.bundleWorkflowCode = (options) =>
  ${FROM_SDK}('@temporalio/worker/lib/workflow/bundler.js').bundleWorkflowCode(options)
`
/**
 * The SDK's messages. JSON.parse reads their half a megabyte three times faster than V8 makes an object literal. Those of
 * Temporal's cloud, a quarter, are left out: no part of the SDK that coinlake loads names them.
 */
const MESSAGES = '/@temporalio/proto/protos/json-module.js'
function messagesJson(literal) {
  const messages = runInNewContext(`(${literal})`)
  delete messages.temporal.nested.api.nested.cloud
  return JSON.stringify(messages)
}
const found = new Set()
const temporal = {
  name: 'temporal',
  resolveId: (id, from) =>
    from?.includes('@temporalio/worker') && /\/(bundler|debug-replayer)$/.test(id)
      ? '\0bundler'
      : null,
  load: (id) => (id === '\0bundler' ? BUNDLER : null),
  transform(code, id) {
    if (id.endsWith(MESSAGES)) {
      const json = (_, literal) => `addJSON(JSON.parse(${JSON.stringify(messagesJson(literal))}))`
      return code.replace(/addJSON\(({[^]*})\)/, json)
    }
    const place = Object.keys(FOUND_BESIDE).find((end) => id.endsWith(end))
    if (place === undefined) return null
    const [text, other] = FOUND_BESIDE[place]
    if (code.includes(text)) found.add(place)
    return code.replace(text, () => other)
  },
}

// As deep as dist/engine/, so that its modules find ../workflows/.
const dir = `${root}dist/bundle`
// The draft stands beside it, because commands may be running from it.
const draft = `${root}dist/.bundle-${process.pid}`
const startedS = Date.now() / 1_000
const built = await rolldown({
  cwd: root,
  input: {
    main: `${root}cli/main.ts`,
    'engine-env': `${root}engine/engine-env.ts`,
    'workflow-worker-thread': `${root}node_modules/@temporalio/worker/lib/workflow/workflow-worker-thread.js`,
  },
  platform: 'node',
  // A module that one file loads late and another at once is loaded at once, on purpose.
  checks: { ineffectiveDynamicImport: false },
  plugins: [temporal],
  external: (id) => !/^[./\0]/.test(id) && !BUNDLED.test(id),
})
await built.write({
  dir: draft,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  // Without comments and blanks a command reads a quarter less at its start. Names stay, for stack traces.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
})
const lost = Object.keys(FOUND_BESIDE).filter((place) => !found.has(place))
if (lost.length > 0)
  throw new Error(`the SDK's files differ from those that the bundle knows: ${lost.join(', ')}`)
// Making the workflows takes seconds, which no user's first command should spend. A package has compiled sources.
const compiled = `${root}dist/workflows/index.js`
const { codePath } = await workflowBundle({
  env: process.env,
  ...(existsSync(compiled) && { entry: compiled }),
})
copyFileSync(codePath, `${draft}/${basename(codePath)}`)
copyFileSync(`${root}engine/server/keep-server.sh`, `${draft}/keep-server.sh`)
// Dated to the start, so that a source written during the build is newer.
utimesSync(`${draft}/main.js`, startedS, startedS)
rmSync(dir, { recursive: true, force: true })
renameSync(draft, dir)
