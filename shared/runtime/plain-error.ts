/** Errors as the log may have them: what libraries hang on theirs can be anything, up to the bytes of an answer. */

interface PlainError {
  readonly name: string;
  readonly message: string;
  /** A system's or a library's own name for the fault. */
  readonly code?: string;
  readonly stack: string | undefined;
  readonly cause?: Error;
}

/** A replacer for JSON.stringify: of an error and its causes the name, the message, the code and where it came from. */
export function plainErrors(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  const code = 'code' in value && typeof value.code === 'string' ? { code: value.code } : {};
  return { name, message, ...code, stack, ...(cause instanceof Error && { cause }) } satisfies PlainError;
}
