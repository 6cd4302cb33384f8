/** Reads files in the service's own storage by their presigned URLs, as streams within limits and without redirects. */

/** Returns only the system code of an error, because its message may quote the URL, which gives access to the file. */
const reasonOf = (error: unknown): string => {
  const { name, cause } = Object(error) as { readonly name?: unknown; readonly cause?: unknown };
  if (name === 'TimeoutError') return 'timeout';
  const { code } = Object(cause) as { readonly code?: unknown };
  return /^[A-Z][A-Z0-9_]{2,40}$/.test(String(code)) ? String(code) : 'no response';
};

const unreadable = (error: unknown): never => {
  throw new Error(`the storage could not be read: ${reasonOf(error)}`);
};

async function* bytesOf({ body }: Response): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body ?? [];
  } catch (error) {
    unreadable(error);
  }
}

/** Opens a file, all of which must arrive within the time limit. @throws {Error} that does not contain the URL */
export async function openStoredFile(url: string, timeLimitMs: number): Promise<AsyncGenerator<Uint8Array, void>> {
  const signal = AbortSignal.timeout(timeLimitMs);
  const response = await fetch(url, { redirect: 'error', signal }).catch(unreadable);
  if (response.ok) return bytesOf(response);
  await response.body?.cancel();
  throw new Error(`the storage responded with ${response.status} to a request for a file`);
}
