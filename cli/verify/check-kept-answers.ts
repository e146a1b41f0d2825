import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { checkStagedAnswers } from '../../stage/check-staged-answers.ts'
import type { PageKey } from '../../stage/page-stage.ts'
import { isS3 } from '../../stage/s3-files.ts'
import { fileDifference, type Verification } from './verification.ts'

/** Compares the kept answers with their checksums. @returns the keys of damaged answers */
export async function checkKeptAnswers(
  { stageDir }: WarehousePaths,
  verification: Verification,
): Promise<PageKey[]> {
  if (isS3(stageDir)) {
    verification.notes.push(`the answers in ${stageDir} were not looked at`)
    return []
  }
  const damaged: PageKey[] = []
  verification.places.push('stage')
  for await (const { key, path, fault: found } of checkStagedAnswers(stageDir)) {
    if (found === null) continue
    damaged.push(key)
    verification.differences.push(fileDifference('stage', path, 'as it was written', found))
  }
  return damaged
}
