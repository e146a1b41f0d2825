const REFERENCE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/

/** `${NAME}` as NAME; null for any other text. */
export function envReference(text: string): string | null {
  return REFERENCE.exec(text)?.[1] ?? null
}
