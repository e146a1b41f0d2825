import { CoinlakeError, EXIT } from './coinlake-error.ts'

/** A flag, an environment variable or the file says something that cannot be meant. Exit code 2. */
export class ConfigError extends CoinlakeError {
  override readonly exitCode = EXIT.config
}
