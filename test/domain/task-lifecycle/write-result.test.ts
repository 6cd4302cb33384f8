/** Results are stored only once they are marked, with the files that they were made from. */
import { describe, expect, test } from 'vitest';
import { UnusableCopy } from '../../../shared/domain/media/watched-copy.ts';
import { resultWriter, type WriteResultNeeds } from '../../../shared/domain/task-lifecycle/write-result.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { NotCertified } from '../../../shared/platform/not-certified.ts';
import { UnmarkableFile } from '../../../shared/platform/unmarkable-file.ts';
import type { Origin, Provenance } from '../../../shared/provenance/provenance.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { unmarkedResultNeeds } from '../../support/result-needs.ts';
import { sha256Of } from '../../support/sha256-of.ts';
import { steppedClock } from '../../support/stepped-clock.ts';
import { task as taskOf } from './copied-results.ts';

const key = 'results/task-1-secret/1.png';
const maxBytes = 100;

interface Given {
  readonly task?: Task;
  readonly mark?: Provenance['mark'];
  readonly allowsUnmarked?: boolean;
  /** Copies of the task's files, by key. */
  readonly copies?: Readonly<Record<string, string>>;
}

const suffix = Buffer.from(' marked');
const markedByAppending: Provenance['mark'] = async (file) => ({
  bytes: Buffer.concat([file, suffix]),
  signedBy: 'Us',
  isUnstamped: false,
});

/**
 * Writes a result that arrives in the given chunks; returns what was stored, and the origin with which it was marked.
 */
function scene({ task = taskOf('image'), mark = markedByAppending, allowsUnmarked = false, copies = {} }: Given = {}) {
  const stored: [key: string, content: string][] = [];
  const origins: Origin[] = [];
  const metrics = recordedMetrics();
  const logged: unknown[] = [];
  const needs: WriteResultNeeds = {
    ...unmarkedResultNeeds,
    clock: steppedClock(),
    logger: { error: (...line: readonly unknown[]) => void logged.push(line) },
    metrics,
    bucket: {
      async write(at, { body }) {
        const bytes = Buffer.concat(await Array.fromAsync(body));
        stored.push([at, bytes.toString()]);
        return bytes.length;
      },
      addressOf: () => Promise.reject(new Error('nothing is shared here')),
    },
    engineJobs: { find: async () => ({ inputKeys: Object.keys(copies) }) },
    work: {
      async open(at) {
        const content = copies[at];
        if (content === undefined) return undefined;
        const read = async (from: number, to: number) => Buffer.from(content).subarray(from, to);
        return { access: 'ranges', size: content.length, read };
      },
    },
    provenance: {
      maxBytes,
      allowsUnmarked,
      mark: (file, contentType, origin) => {
        origins.push(origin);
        return mark(file, contentType, origin);
      },
      async markLarge({ contentType }, use) {
        return use({
          take: (chunk) => [chunk],
          async marked(origin) {
            origins.push(origin);
            const { bytes, ...marked } = await mark(Buffer.of(), contentType, origin);
            return { rest: [bytes], ...marked };
          },
          unmarked: () => [],
        });
      },
    },
  };
  const writeResult = resultWriter(needs, task);
  const write = (...chunks: readonly string[]) => writeResult(key, { contentType: 'image/png', body: bodyOf(chunks) });
  return { write, writeResult, stored, origins, logged, recorded: metrics.recorded };
}

async function* bodyOf(chunks: readonly string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

test('a result is signed with Content Credentials and stored once, with the size and digest of the signed file', async () => {
  const { write, stored } = scene();
  expect(await write('pix', 'els')).toEqual({
    bytes: 13,
    sha256: sha256Of('pixels marked'),
    provenance: { standard: 'c2pa', digitalSourceType: 'trainedAlgorithmicMedia', signedBy: 'Us' },
  });
  expect(stored).toEqual([[key, 'pixels marked']]);
});

test('a result that does not fit into memory is signed while it is copied, and a metric counts it', async () => {
  const largest = scene();
  await largest.write('x'.repeat(maxBytes));
  expect(largest.stored).toEqual([[key, `${'x'.repeat(maxBytes)} marked`]]);
  expect(largest.recorded).toEqual([]);
  const larger = scene();
  const content = `${'x'.repeat(60)}${'y'.repeat(60)} marked`;
  expect(await larger.write('x'.repeat(60), 'y'.repeat(60))).toEqual({
    bytes: content.length,
    sha256: sha256Of(content),
    provenance: { standard: 'c2pa', digitalSourceType: 'trainedAlgorithmicMedia', signedBy: 'Us' },
  });
  expect(larger.stored).toEqual([[key, content]]);
  expect(larger.recorded).toEqual([[{ LargeResultsMarked: 1 }]]);
});

test('a signed result without a time stamp is stored, and a metric counts it', async () => {
  const mark: Provenance['mark'] = async (...given) => ({ ...(await markedByAppending(...given)), isUnstamped: true });
  const { write, stored, recorded } = scene({ mark });
  expect(await write('pixels')).toMatchObject({ provenance: { signedBy: 'Us' } });
  expect(stored).toEqual([[key, 'pixels marked']]);
  expect(recorded).toEqual([[{ ResultsUnstamped: 1 }]]);
});

test('a result whose download fails is neither signed nor stored', async () => {
  const { writeResult, stored, origins } = scene();
  async function* body() {
    yield Buffer.from('pix');
    throw new Error('the engine is gone');
  }
  await expect(writeResult(key, { contentType: 'image/png', body: body() })).rejects.toThrow('the engine is gone');
  expect([stored, origins]).toEqual([[], []]);
});

describe.each([
  ['a result', 'pixels'],
  ['a result that is too large for the memory', 'x'.repeat(maxBytes + 20)],
])('%s that cannot be signed', (_size, content) => {
  const broken = () => Promise.reject(new Error('no key'));

  test('is not stored, so that its step is repeated, and a metric counts it', async () => {
    const { write, stored, origins, recorded } = scene({ mark: broken });
    await expect(write(content)).rejects.toThrow('no key');
    expect(stored).toEqual([]);
    expect(origins).toHaveLength(2);
    expect(recorded).toEqual([[{ ResultsUnmarked: 1 }]]);
  });

  test('because of its content is unusable at once and not stored, and the log says why', async () => {
    const why = new UnmarkableFile('a box has no size');
    const { write, stored, recorded, logged } = scene({ mark: () => Promise.reject(why) });
    await expect(write(content)).rejects.toThrow(UnusableCopy);
    expect(stored).toEqual([]);
    expect(recorded).toEqual([[{ ResultsUnmarked: 1 }]]);
    const detail = { taskId: 'task-1', reason: 'UnmarkableFile', detail: 'a box has no size' };
    expect(logged).toEqual([['result could not be marked', detail]]);
  });

  test('is stored unsigned if the stage allows that, and a metric counts it', async () => {
    const { write, stored, recorded } = scene({ mark: broken, allowsUnmarked: true });
    expect(await write(content.slice(0, 3), content.slice(3))).toEqual({
      bytes: content.length,
      sha256: sha256Of(content),
    });
    expect(stored).toEqual([[key, content]]);
    expect(recorded).toEqual([[{ ResultsUnmarked: 1 }]]);
  });

  test('is signed by the second attempt if the first one failed', async () => {
    const marks = [broken, markedByAppending];
    const mark: Provenance['mark'] = (...given) => marks.shift()?.(...given) ?? broken();
    const { write, stored, recorded } = scene({ mark });
    await write(content);
    expect(stored).toEqual([[key, `${content} marked`]]);
    expect(recorded.flat()).not.toContainEqual({ ResultsUnmarked: 1 });
  });
});

test('a result is stored unsigned while the signing key has no certificate, and a metric counts it', async () => {
  const uncertified = () => Promise.reject(new NotCertified());
  const { write, stored, recorded } = scene({ mark: uncertified });
  expect(await write('pix', 'els')).toEqual({ bytes: 6, sha256: sha256Of('pixels') });
  expect(stored).toEqual([[key, 'pixels']]);
  expect(recorded).toEqual([[{ ResultsUnmarked: 1 }]]);
});

describe('the origin that a result’s Content Credentials record', () => {
  const input = {
    imageUrl: 'https://example.com/ana-silva.png',
    prompt: 'a secret',
    referenceImages: ['https://example.com/1.jpg', 'https://example.com/2.webp'],
    callbackUrl: 'https://example.com/hook',
  };
  const copies = {
    'inputs/task-1/1.png': 'the image',
    'inputs/task-1/2.jpg': 'first reference',
    'inputs/task-1/3.webp': 'x'.repeat(maxBytes + 1),
  };

  test('is an edit of the input file that the operation changes, and lists the other input files as influences, in the order of their fields', async () => {
    const { write, origins } = scene({ task: taskOf('image-edit', input), copies });
    const written = await write('pixels');
    expect(written.provenance?.digitalSourceType).toBe('compositeWithTrainedAlgorithmicMedia');
    expect(origins).toEqual([
      {
        digitalSourceType: 'compositeWithTrainedAlgorithmicMedia',
        softwareAgent: 'fal/nano-banana-2',
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        inputs: [
          { isEdited: true, contentType: 'image/png', bytes: Buffer.from('the image') },
          { isEdited: false, contentType: 'image/jpeg', bytes: Buffer.from('first reference') },
          { isEdited: false, contentType: 'image/webp', bytes: undefined },
        ],
      },
    ]);
  });

  test('names input files without their content if that content prevents the signing', async () => {
    const mark: Provenance['mark'] = async (file, type, origin) => {
      if (origin.inputs.some(({ bytes }) => bytes)) throw new Error('an input cannot be signed');
      return markedByAppending(file, type, origin);
    };
    const { write, stored, origins } = scene({ task: taskOf('image-edit', input), copies, mark });
    await write('pixels');
    expect(stored).toEqual([[key, 'pixels marked']]);
    expect(origins.at(-1)?.inputs.map(({ contentType }) => contentType)).toEqual([
      'image/png',
      'image/jpeg',
      'image/webp',
    ]);
  });

  test('names input files without their content if no copy of them exists', async () => {
    const { write, origins } = scene({ task: taskOf('image-edit', input) });
    await write('pixels');
    expect(origins[0]?.inputs).toEqual([
      { isEdited: true, bytes: undefined },
      { isEdited: false, bytes: undefined },
      { isEdited: false, bytes: undefined },
    ]);
  });

  test('is composite if files influenced the result, although the operation changes none of them', async () => {
    const task = taskOf('influencer', { name: 'Ana', description: 'b', referenceImages: input.referenceImages });
    const { write, origins } = scene({ task, copies: { 'inputs/task-1/1.jpg': 'a', 'inputs/task-1/2.webp': 'b' } });
    await write('pixels');
    expect(origins[0]?.digitalSourceType).toBe('compositeWithTrainedAlgorithmicMedia');
    expect(origins[0]?.inputs.map(({ isEdited, contentType }) => [isEdited, contentType])).toEqual([
      [false, 'image/jpeg'],
      [false, 'image/webp'],
    ]);
  });

  test('is a new creation if the file that the operation would change is not given', async () => {
    const { write, origins } = scene({ task: taskOf('video-creative', { prompt: 'waves' }) });
    await write('film');
    expect(origins[0]?.digitalSourceType).toBe('trainedAlgorithmicMedia');
  });

  test('contains no text or URL of the request', async () => {
    const { write, origins } = scene({ task: taskOf('image-edit', input), copies });
    await write('pixels');
    expect(JSON.stringify(origins)).not.toMatch(/secret|example\.com|ana-silva|account-1|task-1/);
  });
});
