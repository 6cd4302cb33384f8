/** The thread in which the local service measures media files; it receives only the bytes that it requests. */
import { parentPort } from 'node:worker_threads';
import type { FileShape } from '../../shared/media-files/file-shape.ts';
import { measureWalk } from '../../shared/media-files/measure-walk.ts';

/** A message that starts measuring a file, supplies it with bytes, or ends it. */
export type ToWorker =
  | { readonly id: number; readonly shape: FileShape }
  | { readonly id: number; readonly bytes: Uint8Array }
  | { readonly id: number; readonly isOver: true };

export interface FromWorker {
  readonly id: number;
  readonly step: ReturnType<ReturnType<typeof measureWalk>['next']>;
}

const walks = new Map<number, ReturnType<typeof measureWalk>>();

parentPort?.on('message', (message: ToWorker) => {
  const { id } = message;
  if ('shape' in message) walks.set(id, measureWalk(message.shape));
  else if ('isOver' in message) walks.delete(id);
  else {
    const step = walks.get(id)?.next(message.bytes);
    if (step) parentPort?.postMessage({ id, step } satisfies FromWorker, []);
  }
});
