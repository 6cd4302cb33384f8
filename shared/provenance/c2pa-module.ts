/** Loads the C2PA library, which is WebAssembly for browsers, on its first use. */
import { readFile } from 'node:fs/promises';
import { c2paWasmFile } from './c2pa-wasm-file.ts';

export type C2pa = typeof import('@contentauth/c2pa-wasm');

/** A file in memory, with the part of a browser's Blob that the library uses. */
class MemoryFile {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly size: number;

  constructor(content: Uint8Array<ArrayBuffer>) {
    this.content = content;
    this.size = content.length;
  }

  slice(start = 0, end = this.size): MemoryFile {
    return new MemoryFile(this.content.subarray(start, end));
  }
}

export const memoryBlob = (content: Uint8Array<ArrayBuffer>): Blob => new MemoryFile(content) as unknown as Blob;

/** `FileReaderSync` of web workers, which Node lacks, with the one method that the library calls. */
class FileReaderSync {
  readAsArrayBuffer({ content }: MemoryFile): ArrayBuffer {
    return new Uint8Array(content).buffer;
  }
}

async function load(): Promise<C2pa> {
  const [c2pa, module] = await Promise.all([import('@contentauth/c2pa-wasm'), readFile(c2paWasmFile())]);
  Object.assign(globalThis, { FileReaderSync });
  c2pa.initSync({ module });
  return c2pa;
}

let loading: Promise<C2pa> | undefined;

export const c2paModule = (): Promise<C2pa> => {
  loading ??= load();
  return loading;
};
