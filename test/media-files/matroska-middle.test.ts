/** What is read of the middle of a large Matroska is limited, and cannot be foreseen. */
import { expect, test } from 'vitest';
import { chosenStretches, type Stretch } from '../../shared/media-files/matroska-middle.ts';
import { Work, workLimits } from '../../shared/media-files/work.ts';
import { seededNumbers } from '../support/seeded-numbers.ts';

const megabyte = 2 ** 20;

/** Clusters of one megabyte and two seconds each. */
const clusters = Array.from({ length: 1000 }, (_, index) => ({
  at: index * megabyte,
  end: (index + 1) * megabyte,
  time: 2000 * index,
}));

function chosen(seed: number, perStretch: (work: Work) => void = () => undefined): readonly Stretch[] {
  const numbers = seededNumbers(seed);
  const work = new Work(
    () => 0,
    () => numbers(2 ** 16) / 2 ** 16,
  );
  const stretches: Stretch[] = [];
  for (const stretch of chosenStretches(clusters, 2_000_000, 1 / 1000, work)) {
    stretches.push(stretch);
    perStretch(work);
  }
  return stretches;
}

test('at most 128 MB of the clusters of a large Matroska file are read, in runs of at least five seconds', () => {
  const stretches = chosen(1);
  const bytes = stretches.reduce((sum, { at, end }) => sum + end - at, 0);
  expect(bytes).toBeGreaterThan(120 * megabyte);
  expect(bytes).toBeLessThanOrEqual(128 * megabyte);
  for (const { at, end, units } of stretches.filter(({ end }) => end < 999 * megabyte)) {
    expect([end - at, units]).toEqual([3 * megabyte, 6000]);
  }
});

test('the clusters to read from a large Matroska file are chosen at random from the whole file', () => {
  const [one, other] = [chosen(1), chosen(2)].map((stretches) => stretches.map(({ at }) => at));
  expect(one?.filter((at) => other?.includes(at)).length).toBeLessThan(15);
  for (const quarter of [0, 1, 2, 3]) {
    expect(one?.filter((at) => Math.floor(at / (250 * megabyte)) === quarter).length).toBeGreaterThan(3);
  }
});

test.each([
  { kind: 'elements', read: (work: Work) => work.visit(workLimits.elements / 40) },
  { kind: 'sound', read: (work: Work) => void work.examines(workLimits.examined / 40) },
])(
  'fewer clusters of a large Matroska file are read if a quarter of the work limit is spent on their $kind',
  ({ read }) => {
    expect(chosen(1, read).length).toBe(11);
  },
);
