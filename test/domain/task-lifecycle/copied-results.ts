/** Copies of results from an engine whose downloads a test makes up. */
import { copyResults } from '../../../shared/domain/task-lifecycle/copy-results.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import type { Engine, EngineDownload, EngineOutput } from '../../../shared/engines/engine.ts';
import type { Bucket } from '../../../shared/platform/bucket.ts';
import type { Ids } from '../../../shared/platform/ids.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { unmarkedResultNeeds } from '../../support/result-needs.ts';

/** A task whose engine works on it. */
export const task = (taskType: Task['taskType'], input: Task['input'] = {}): Task => ({
  taskId: 'task-1',
  accountId: 'account-1',
  tokenId: 'token-1',
  taskType,
  status: 'processing',
  progress: 50,
  cost: 2,
  input,
  engine: 'fal',
  route: 'fal/nano-banana-2',
  createdAt: 0,
  deadlineAt: 1,
  resultsSecret: 'secret',
});

/** The output that is downloaded, unless a test specifies another one. */
export const output: EngineOutput = { url: 'https://engine.example/a', contentType: 'image/png', durationSec: 99 };

/** Copies an engine's downloads; records what was stored and how many downloads were closed. */
export async function copied(
  of: Task,
  download: (output: EngineOutput) => EngineDownload,
  bucket: Partial<Bucket> = {},
  outputs: readonly EngineOutput[] = [output],
  ids: Pick<Ids, 'secret'> = unmarkedResultNeeds.ids,
) {
  const stored: (readonly [key: string, contentType: string, bytes: number])[] = [];
  const engine = { download: async (one) => download(one) } as Partial<Engine> as Engine;
  const storing: Bucket = {
    write: async (key, { body, contentType }) => {
      let bytes = 0;
      for await (const chunk of body) bytes += chunk.length;
      stored.push([key, contentType, bytes]);
      return bytes;
    },
    addressOf: () => Promise.reject(new Error('nothing is shared here')),
    ...bucket,
  };
  const metrics = recordedMetrics();
  const copy = await copyResults(
    { ...unmarkedResultNeeds, bucket: storing, engines: { named: () => engine }, ids, metrics },
    of,
    outputs,
  );
  const kept = typeof copy === 'string' ? { unkept: copy, results: undefined } : { results: copy };
  return { ...kept, stored, recorded: metrics.recorded };
}

/** A download of chunks that may fail at its end, and whether it was closed. */
export function file(chunks: Iterable<Uint8Array>, more: { readonly end?: Error; readonly bytes?: number } = {}) {
  const state = { closed: 0, read: 0 };
  async function* body() {
    try {
      for (const chunk of chunks) {
        state.read += chunk.length;
        yield chunk;
      }
      if (more.end) throw more.end;
    } finally {
      state.closed += 1;
    }
  }
  return { state, download: () => ({ body: body(), ...(more.bytes !== undefined && { bytes: more.bytes }) }) };
}

/** A download that exceeds the size limit, one megabyte at a time. */
export function* tooMuch(head: Uint8Array, maxBytes: number) {
  yield head;
  const block = new Uint8Array(2 ** 20);
  for (let given = 0; given < maxBytes; given += block.length) yield block;
}
