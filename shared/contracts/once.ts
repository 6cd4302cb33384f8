/** Builds schemas on first use: building all of them took a third of every function's start. */

/** Memoizes a builder: the first call builds the value, and later calls return it. */
export function once<Value>(build: () => Value): () => Value {
  let built: { readonly value: Value } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}
