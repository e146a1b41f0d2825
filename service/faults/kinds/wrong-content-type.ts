import { faultKind } from '../fault-kind.ts'

/** The body is right and must be taken. */
export const wrongContentType = faultKind({
  name: 'wrong_content_type',
  place: 'body',
  about: 'the good JSON under text/html',
  spoil: () => ({ headers: { 'content-type': 'text/html; charset=utf-8' } }),
})
