import { CoinlakeError, EXIT } from './coinlake-error.ts'

/** A flag, an environment variable or the file has a wrong value. Exit code 2. */
export class ConfigError extends CoinlakeError {
  override readonly exitCode = EXIT.config
}
