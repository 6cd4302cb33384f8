/** Schemas are built when they are first needed: building them all took a third of the start of every function. */

/** The first call builds the value, and every call returns the same one. */
export function once<Value>(build: () => Value): () => Value {
  let built: { readonly value: Value } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}
