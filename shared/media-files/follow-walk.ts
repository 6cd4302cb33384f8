/** Runs a walk on a file whose bytes arrive in order. */

import { growingBlock } from '../platform/growing-block.ts';
import type { Walk } from './file-walk.ts';

const exists = new Uint8Array(1);

export interface Following<Result> {
  /** Adds the next bytes of the file. */
  readonly add: (chunk: Uint8Array) => void;
  /** The result for a file of this total size; undefined if it depends on bytes that have not been added yet. */
  readonly result: (totalBytes: number) => Result | undefined;
}

/** Runs a walk on a file that is read from its beginning. */
export function followStream<Result>(walk: Walk<Result>): Following<Result> {
  let step = walk.next();
  let position = 0;
  let block = growingBlock(0);
  const expectSpan = () => {
    if (!step.done) block = growingBlock(step.value.end - step.value.start);
  };
  const proceed = (bytes: Uint8Array) => {
    step = walk.next(bytes);
    expectSpan();
  };
  expectSpan();
  return {
    add(chunk) {
      const chunkAt = position;
      position += chunk.length;
      while (!step.done) {
        const { start, end, isRead } = step.value;
        if (position <= start) return;
        block.add(chunk.subarray(Math.max(0, start + block.bytes().length - chunkAt)));
        if (position < end) return;
        proceed(isRead ? block.bytes() : exists);
      }
    },
    result(totalBytes) {
      while (!step.done) {
        if (position < totalBytes && step.value.start < totalBytes) return undefined;
        proceed(block.bytes());
      }
      return step.value;
    },
  };
}
