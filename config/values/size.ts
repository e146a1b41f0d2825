const MIB = 1024 * 1024

export const SIZE_PATTERN = '^[1-9][0-9]{0,2}MiB$'

const sizeForm = new RegExp(SIZE_PATTERN)

/** `64MiB` as bytes; null when the text is no size. */
export function parseSizeBytes(text: string): number | null {
  return sizeForm.test(text) ? Number.parseInt(text, 10) * MIB : null
}

/** 67108864 as `64MiB`; a size that is no whole number of MiB in bytes. */
export function formatSize(sizeBytes: number): string {
  return sizeBytes % MIB === 0 ? `${sizeBytes / MIB}MiB` : `${sizeBytes} bytes`
}
