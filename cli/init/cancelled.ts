/** The person pressed Ctrl-C at a question. */
export class Cancelled extends Error {}
