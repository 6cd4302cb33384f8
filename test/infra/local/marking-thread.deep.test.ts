/** Results are marked on a separate thread, whose end fails only the files that it was marking. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { markingThread, startDraftOnThread } from '../../../infra/local/marking-thread.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { created, files, markCopiedBy, markingInTests } from '../../provenance/marked-files.ts';
import { isMarked } from '../../support/is-marked.ts';
import { tinyPng } from '../../support/tiny-image.ts';

const { credentialsAt } = markingInTests();
const png = new Uint8Array(files['image/png']);

/** Longer than a busy machine takes to start a thread. */
const longMs = { ofResult: 300_000, withInputs: 300_000 };

/** Marks on threads, of which the first run these programs, and those after them the real one. */
function markingAfter(programs: readonly string[], limitsMs: Parameters<typeof markingThread>[1] = longMs) {
  const left = [...programs];
  const start = () => {
    const program = left.shift();
    const real = new URL('../../../infra/local/marking-worker.ts', import.meta.url);
    const worker = program === undefined ? new Worker(real, { execArgv: [] }) : new Worker(program, { eval: true });
    worker.unref();
    return worker;
  };
  return credentialsAt(systemClock, { startDraft: markingThread(start, limitsMs) });
}

const credentials = markingAfter([]);

interface Memory {
  grow(pages: number): number;
}

/** Node's types lack it. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { readonly Memory: new (size: { readonly initial: number }) => Memory };
};

test.for(['image/png', 'video/mp4'] as const)(
  'the thread marks a file of type %s, in memory and while it is copied',
  async (type) => {
    const file = new Uint8Array(files[type]);
    const marked = await Promise.all([
      credentials.mark(file, type, created),
      markCopiedBy(credentials, file, type, created),
    ]);
    for (const { bytes } of marked) expect(await isMarked(bytes, type)).toBe(true);
  },
);

const never = 'setInterval(() => 0, 9)';
const onlyLoads = `const { parentPort } = require('node:worker_threads');
  parentPort.once('message', ({ id }) => parentPort.postMessage({ id })); ${never}`;
const inputs = [{ isEdited: false, contentType: 'image/png', bytes: png }];

test.for([
  ['ends', 'setTimeout(() => process.exit(1), 100)', {}, []],
  ['does not answer in time', never, { ofResult: 500 }, []],
  ['does not answer in the time for files with inputs', onlyLoads, { withInputs: 500 }, inputs],
] as const)(
  'a file whose thread %s cannot be marked, and the next one is marked by a new thread',
  async ([, program, shorterMs, of]) => {
    const limitsMs = { ...longMs, ...shorterMs };
    const marking = markingAfter([program], limitsMs);
    const marked = marking.mark(png, 'image/png', { ...created, inputs: of });
    await expect(marked).rejects.toMatchObject({ name: 'UnmarkableFile' });
    Object.assign(limitsMs, longMs);
    expect(await isMarked((await marking.mark(png, 'image/png', created)).bytes, 'image/png')).toBe(true);
  },
);

test('the thread limits the memory that WebAssembly, and so the C2PA library, can have to one gibibyte', async () => {
  const marking = credentialsAt(systemClock, { startDraft: startDraftOnThread });
  expect(await isMarked((await marking.mark(png, 'image/png', created)).bytes, 'image/png')).toBe(true);
  const memory = new WebAssembly.Memory({ initial: 1 });
  const pagesOfGibibyte = 16_384;
  memory.grow(pagesOfGibibyte - 1);
  expect(() => memory.grow(1)).toThrow(RangeError);
});

test('a process ends by itself although the thread has marked a file for it', async () => {
  const program = `import { startDraftOnThread } from './infra/local/marking-thread.ts';
    const file = Buffer.from(process.argv[1], 'base64');
    const origin = { digitalSourceType: 'trainedAlgorithmicMedia', softwareAgent: 'a', at: '${created.at}', inputs: [] };
    const generator = { name: 'test', version: '1' };
    (await startDraftOnThread({ file, contentType: 'image/png', origin, generator })).free();
    process.stdout.write('drafted');`;
  const small = Buffer.from(tinyPng(2, 2)).toString('base64');
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program, small]);
  expect(stdout).toBe('drafted');
});
