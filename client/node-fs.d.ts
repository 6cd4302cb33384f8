/** The part of Node's `fs` module that the client uses, so that it compiles without Node's types. */
export function openAsBlob(path: string): Promise<Blob>;
