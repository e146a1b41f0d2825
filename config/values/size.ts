const MIB = 1024 * 1024

/** The largest known answer is some megabytes; docs/guarantees.md says what reading 64 takes. */
export const DEFAULT_MAX_BODY_BYTES = 64 * MIB

/** The form of a size; shared with the JSON schema so that editors complain early. */
export const SIZE_PATTERN = '^[1-9][0-9]{0,2}MiB$'

const sizeForm = new RegExp(SIZE_PATTERN)

/** `64MiB` as bytes; null when the text is no such size. */
export function parseSizeBytes(text: string): number | null {
  return sizeForm.test(text) ? Number.parseInt(text, 10) * MIB : null
}

/** 67108864 is `64MiB`; what is no whole number of them is said in bytes. */
export function formatSize(sizeBytes: number): string {
  return sizeBytes % MIB === 0 ? `${sizeBytes / MIB}MiB` : `${sizeBytes} bytes`
}
