import { faultKind } from '../fault-kind.ts'
import { htmlPage } from '../html-page.ts'

/** What edges and captive portals say with a good status. */
export const html = faultKind({
  name: 'html',
  place: 'body',
  about: 'status 200 with a web page',
  spoil: () => htmlPage('Just a moment...'),
})
