/** Builds schemas when they are first needed: building all of them took a third of every function's start. */

/** The first call builds the value, and every call returns the same one. */
export function once<Value>(build: () => Value): () => Value {
  let built: { readonly value: Value } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}
