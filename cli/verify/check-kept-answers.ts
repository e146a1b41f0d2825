import { hasOwnStage, type WarehousePaths } from '../../config/warehouse-paths.ts'
import type { VerifySource } from '../../sinks/verify/verify-source.ts'
import { checkStagedAnswers } from '../../stage/check-staged-answers.ts'
import type { PageKey } from '../../stage/page-stage.ts'
import { isS3 } from '../../stage/s3-files.ts'
import { counted } from '../render/quantities.ts'
import { fileDifference, type Verification } from './verification.ts'

/**
 * Compares the kept answers with their checksums and with the ledger.
 *
 * @param source null = there is no ledger
 * @returns the keys of damaged answers
 */
export async function checkKeptAnswers(
  paths: WarehousePaths,
  source: Pick<VerifySource, 'rows'> | null,
  verification: Verification,
): Promise<PageKey[]> {
  const { stageDir } = paths
  if (isS3(stageDir)) {
    verification.notes.push(`the answers in ${stageDir} were not looked at`)
    return []
  }
  const planned = await source?.rows('SELECT DISTINCT slice_id FROM _slices')
  const plannedIds = planned && new Set(planned.map((row) => String(row['slice_id'])))
  const damaged: PageKey[] = []
  let unknown = 0
  verification.places.push('stage')
  for await (const { key, path, fault: found, dataset } of checkStagedAnswers(stageDir)) {
    if (found !== null) {
      damaged.push(key)
      verification.differences.push(fileDifference('stage', path, 'as it was written', found))
    } else if (dataset !== 'universe' && plannedIds?.has(key.sliceId) === false) {
      unknown += 1
    }
  }
  // In a shared stage these belong to another warehouse.
  if (unknown > 0 && hasOwnStage(paths)) {
    verification.notes.push(
      `${counted(unknown, 'kept answer')} of slices that the ledger does not know. Either they are of an older store, or this store is an old copy. In that case move the store away and run \`coinlake restore\``,
    )
  }
  return damaged
}
