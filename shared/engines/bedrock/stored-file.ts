/** Files in the service's own storage, read by the addresses that the service gave: bounded, and without redirects. */

interface StoredFileBounds {
  /** For the whole file. */
  readonly timeLimitMs: number;
  readonly maxBytes: number;
}

/** It would be too large the next time, too. */
export class StoredFileTooLarge extends Error {
  override readonly name = 'StoredFileTooLarge';
  constructor() {
    super('a file in the storage is larger than the engine takes');
  }
}

const limited = async (response: Response, maxBytes: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the body, and with it the connection.
    if (bytes > maxBytes) throw new StoredFileTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** An address opens the file to whoever has it, and the words of a fault may quote it; a system's code quotes nothing. */
const reasonOf = (error: unknown): string => {
  const { name, cause } = Object(error) as { readonly name?: unknown; readonly cause?: unknown };
  if (name === 'TimeoutError') return 'not in time';
  const { code } = Object(cause) as { readonly code?: unknown };
  return /^[A-Z][A-Z0-9_]{2,40}$/.test(String(code)) ? String(code) : 'no answer';
};

const read = async (url: string, { timeLimitMs, maxBytes }: StoredFileBounds): Promise<Uint8Array | number> => {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeLimitMs) });
  if (response.ok) return limited(response, maxBytes);
  await response.body?.cancel();
  return response.status;
};

/** Throws {@link StoredFileTooLarge}, or an Error that does not tell the address. */
export const storedFile = async (url: string, bounds: StoredFileBounds): Promise<Uint8Array> => {
  const got = await read(url, bounds).catch((error: unknown) => {
    throw error instanceof StoredFileTooLarge ? error : new Error(`the storage could not be read: ${reasonOf(error)}`);
  });
  if (typeof got === 'number') throw new Error(`the storage answered ${got} to a question for a file`);
  return got;
};
