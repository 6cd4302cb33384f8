/** Files in the service's own storage, read as streams by the URLs that the service made: bounded, without redirects. */

/** A URL opens the file to whoever has it, and the words of a fault may quote it; a system's error code quotes nothing. */
const reasonOf = (error: unknown): string => {
  const { name, cause } = Object(error) as { readonly name?: unknown; readonly cause?: unknown };
  if (name === 'TimeoutError') return 'not in time';
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

/** The whole file must arrive within the limit. Throws an Error that does not tell the URL. */
export async function openStoredFile(url: string, timeLimitMs: number): Promise<AsyncGenerator<Uint8Array, void>> {
  const signal = AbortSignal.timeout(timeLimitMs);
  const response = await fetch(url, { redirect: 'error', signal }).catch(unreadable);
  if (response.ok) return bytesOf(response);
  await response.body?.cancel();
  throw new Error(`the storage responded with ${response.status} to a request for a file`);
}
