import { diskStage } from './disk-stage.ts'
import type { DiskStage, DiskStageOptions } from './disk-stage.ts'
import { isS3 } from './s3-files.ts'
import { s3Stage } from './s3-stage.ts'

/** The page store in a folder or in a bucket (`s3://bucket/prefix`): see diskStage and s3Stage. */
export function openStage({ dir, ...options }: DiskStageOptions): DiskStage {
  return isS3(dir) ? s3Stage({ place: dir, ...options }) : diskStage({ dir, ...options })
}
