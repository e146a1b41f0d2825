import { CoinlakeError } from '../config/coinlake-error.ts'

/**
 * Temporal could not be found, started or reached. Exit code 1. Codes: TEMPORAL_NOT_FOUND, TEMPORAL_BINARY_UNUSABLE,
 * TEMPORAL_START_FAILED, TEMPORAL_UNREACHABLE, TEMPORAL_TOO_OLD, TEMPORAL_CONFIG, TEMPORAL_STATE_DIR,
 * CACHE_NOT_WRITABLE.
 */
export class EngineError extends CoinlakeError {}
