export interface ErrorText {
  code: string
  message: string
  hint: string
}

/** An error as people read it and programs find it: `error[CODE]: message`, and what to do next. */
export function errorLines({ code, message, hint }: ErrorText): [string, string] {
  return [`error[${code}]: ${message}`, `  hint: ${hint}`]
}
