/** A terminal or file stream that records its output. */
import { Writable } from 'node:stream';

export interface CapturedStream {
  readonly stream: NodeJS.WriteStream;
  readonly text: () => string;
}

export function capturedStream({ isTTY }: { readonly isTTY: boolean }): CapturedStream {
  let text = '';
  const stream = new Writable({
    write(chunk, _, done) {
      text += String(chunk);
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }) as unknown as NodeJS.WriteStream, text: () => text };
}
