/** The page of a proxy or an edge, as body and headers. */
export function htmlPage(title: string): { bytes: Uint8Array; headers: Record<string, string> } {
  const page = `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`
  return { bytes: Buffer.from(page), headers: { 'content-type': 'text/html; charset=utf-8' } }
}
