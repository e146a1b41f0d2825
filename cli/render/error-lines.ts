/** One fault, in the form of every command. */
export interface ToldError {
  code: string
  message: string
  hint: string
}

/** An error as people read it and programs find it: `error[CODE]: message`, and what to do next. */
export function errorLines({ code, message, hint }: ToldError): [string, string] {
  return [`error[${code}]: ${message}`, `  hint: ${hint}`]
}
