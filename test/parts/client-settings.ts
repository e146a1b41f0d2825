/** The settings of a client in a test, beside its address, key and pacer. */
export const CLIENT_SETTINGS = {
  version: '0.1.0',
  timeoutMs: 5_000,
  concurrency: 8,
  maxBodyBytes: 64 * 1024 * 1024,
  caFile: null,
  env: {},
}
