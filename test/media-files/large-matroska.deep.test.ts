/** A Matroska that is too large to be read completely: only a part of the clusters in its middle is read. */
import { expect, test } from 'vitest';
import { blockOf, clusterTime, element, hex, matroskaOf } from '../support/media/made-matroska.ts';
import { measurementOf } from '../support/media/measured.ts';

const second = Buffer.alloc(16_000, 1);
const plain = {
  codec: 'A_PCM/INT/LIT',
  setup: Buffer.alloc(0),
  rate: 8000,
  audio: [element('6264', Buffer.from([16]))],
};

/** A cluster with blocks of one second at the given times after its own. */
const clusterAt = (atMs: number, ...blocksMs: readonly number[]): Buffer =>
  element('1f43b675', clusterTime(atMs), ...blocksMs.map((ms) => blockOf({ atMs: ms, packets: [second] })));

const place = (position: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(position));
  return bytes;
};

/** How many seconds are read completely at the beginning, and how many clusters are read in the middle. */
const [begun, clusters] = [70, 400];

/** A file of PCM whose index leads to its last cluster, with the given clusters in its middle. */
function largeFile(middle: readonly Buffer[], lastMs: number): Buffer {
  const beginning = Array.from({ length: begun }, (_, index) => clusterAt(1000 * index, 0));
  const made = (indexAt: number, lastAt: number) => {
    const seek = element(
      '114d9b74',
      element('4dbb', element('53ab', hex('1c53bb6b')), element('53ac', place(indexAt))),
    );
    const index = element(
      '1c53bb6b',
      element('bb', element('b3', place(lastMs)), element('b7', element('f1', place(lastAt)))),
    );
    return matroskaOf(
      { ...plain, between: [seek, index, ...beginning, ...middle] },
      clusterTime(lastMs),
      blockOf({ atMs: 0, packets: [second] }),
    );
  };
  const draft = made(0, 0);
  const segment = draft.indexOf('18538067', 0, 'hex') + 9;
  const [cues, cluster] = ['1c53bb6b', '1f43b675'];
  const indexAt = draft.indexOf(cues, draft.indexOf(cues, 0, 'hex') + 4, 'hex');
  return made(indexAt - segment, draft.lastIndexOf(cluster, undefined, 'hex') - segment);
}

const beats = [0, 1000, 2000, 3000, 4000];
const middleOf = (make: (cluster: number, atMs: number) => Buffer): readonly Buffer[] =>
  Array.from({ length: clusters }, (_, index) => make(index, 1000 * (begun + beats.length * index)));
const endMs = 1000 * (begun + beats.length * clusters);

const measured = (file: Buffer, random?: () => number) =>
  measurementOf(file, undefined, { isThorough: true, ...(random && { random }) });

test('a large Matroska file is accepted if its middle is as long as its clusters declare', () => {
  const file = largeFile(
    middleOf((_, atMs) => clusterAt(atMs, ...beats)),
    endMs,
  );
  expect(file.length).toBeGreaterThan(25 * 2 ** 20);
  expect(measured(file).found).toMatchObject({ durationSec: endMs / 1000 + 1 });
});

test.for([
  {
    title: 'more sound than the times of their blocks permit',
    middle: middleOf((index) => clusterAt(1000 * begun + 50 * index, ...beats.map(() => 0))),
    lastMs: 1000 * begun + 50 * clusters,
    reason: /seconds of sound, but contains/,
  },
  {
    title: 'sound that ends after the next cluster begins',
    middle: middleOf((index) => clusterAt(1000 * (begun + index), ...beats)),
    lastMs: 1000 * (begun + clusters),
    reason: /seconds of sound, but contains/,
  },
  {
    title: 'the same times again and again',
    middle: middleOf((index) => clusterAt(1000 * (begun + (index % 5)), ...beats)),
    lastMs: 1000 * (begun + 5),
    reason: /seconds of sound, but contains/,
  },
  {
    title: 'an unknown element between them',
    middle: middleOf((index, atMs) =>
      index === 200 ? element('58d7', clusterAt(atMs, ...beats)) : clusterAt(atMs, ...beats),
    ),
    lastMs: endMs,
    reason: /^has an element where its format allows none$/,
  },
])('a large Matroska file is refused if the clusters in its middle have $title', ({ middle, lastMs, reason }) => {
  expect(measured(largeFile(middle, lastMs)).found).toMatchObject({ reason: expect.stringMatching(reason) });
});
