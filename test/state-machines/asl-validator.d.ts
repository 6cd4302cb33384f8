declare module 'asl-validator' {
  /** Checks a definition of the Amazon States Language against its schema and rules. */
  export default function validate(
    definition: unknown,
    options?: { readonly checkPaths?: boolean; readonly checkArn?: boolean },
  ): { readonly isValid: boolean; readonly errors: readonly { readonly Message: string }[] };
}
