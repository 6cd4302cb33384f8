/** Reduces errors to loggable fields: libraries attach arbitrary data to theirs, even the bytes of a response. */

interface PlainError {
  readonly name: string;
  readonly message: string;
  /** The error code of the operating system or a library. */
  readonly code?: string;
  readonly stack: string | undefined;
  readonly cause?: Error;
}

/** A replacer for JSON.stringify that keeps an error's and its causes' name, message, code and stack. */
export function plainErrors(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  const code = 'code' in value && typeof value.code === 'string' ? { code: value.code } : {};
  return { name, message, ...code, stack, ...(cause instanceof Error && { cause }) } satisfies PlainError;
}
