/** The content of a file to upload, which is read in parts, one after the other. */

/** The path of a file (where there is a file system), a Blob, or a stream such as a `ReadableStream` or Node's. */
export type UploadContent = string | Blob | AsyncIterable<Uint8Array>;

export interface Source {
  readonly bytes: number;
  /** The media type, if the content shows it. */
  readonly contentType: string | undefined;
  /** The next bytes. @throws {RangeError} if the content does not have the size that it should have */
  readonly take: (bytes: number) => Promise<Blob>;
}

const typesByExtension: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  mka: 'audio/x-matroska',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
};

/** A Blob that reads the file when it is sent. Bundlers for runtimes without files leave the import alone. */
async function openPath(path: string): Promise<Blob> {
  const { openAsBlob } = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs').catch(() => {
    throw new Error('This runtime has no file system: pass a Blob or a stream.');
  });
  return openAsBlob(path);
}

function fromBlob(blob: Blob, contentType: string | undefined): Source {
  let taken = 0;
  const take = async (bytes: number) => {
    taken += bytes;
    return blob.slice(taken - bytes, taken);
  };
  return { bytes: blob.size, contentType, take };
}

function fromStream(stream: AsyncIterable<Uint8Array>, bytes: number): Source {
  const chunks = stream[Symbol.asyncIterator]();
  let rest = new Uint8Array();
  let left = bytes;
  const wrong = (size: string) => new RangeError(`The stream has ${size} than ${bytes} bytes.`);
  const take = async (wanted: number) => {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    left -= wanted;
    for (let missing = wanted; missing > 0; ) {
      if (rest.length === 0) {
        const { done, value } = await chunks.next();
        if (done) throw wrong('less');
        rest = new Uint8Array(value);
      }
      const part = rest.subarray(0, missing);
      parts.push(part);
      missing -= part.length;
      rest = rest.subarray(part.length);
    }
    if (left === 0 && (rest.length > 0 || !(await chunks.next()).done)) throw wrong('more');
    return new Blob(parts);
  };
  return { bytes, contentType: undefined, take };
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of stream) chunks.push(new Uint8Array(chunk));
  return new Blob(chunks);
}

/** A stream of unknown size is read into memory. */
export async function sourceOf(content: UploadContent, bytes: number | undefined): Promise<Source> {
  if (typeof content === 'string') {
    const extension = content.split('.').at(-1)?.toLowerCase() ?? '';
    return fromBlob(await openPath(content), typesByExtension[extension]);
  }
  if (content instanceof Blob) return fromBlob(content, content.type || undefined);
  return bytes === undefined ? fromBlob(await readAll(content), undefined) : fromStream(content, bytes);
}
