/** The soak detects leaks of memory and sockets. */
import { expect, test } from 'vitest';
import { afterWarmUp, growthProblems, type Sample } from './memory-trend.ts';

const megabyte = 2 ** 20;

/** Five minutes at 30 requests a second, of which every third makes a task; the heap breathes by three megabytes. */
const soaked = (change: (sample: Sample, position: number) => Partial<Sample> = () => ({})): Sample[] =>
  Array.from({ length: 75 }, (_, position) => {
    const requests = position * 120;
    const [executions, objects] = [Math.floor(requests / 3), Math.floor(requests / 4)];
    const breath = (position % 7) * 0.5 * megabyte;
    const heapUsed = 50 * megabyte + breath + executions * 3850 + objects * 850;
    const sample = { requests, heapUsed, rss: 0, openFiles: 180 + (position % 5) * 15, executions, objects };
    return { ...sample, ...change(sample, position) };
  });

test('the memory trend accepts heap growth by the executions and objects that the AWS emulation keeps', () => {
  expect(growthProblems(afterWarmUp(soaked()))).toEqual([]);
});

test('the memory trend detects two kilobytes leaked per request', () => {
  const leaking = soaked(({ heapUsed, requests }) => ({ heapUsed: heapUsed + requests * 2048 }));
  expect(growthProblems(afterWarmUp(leaking))).toEqual([expect.stringContaining('the heap grew by')]);
});

test('the memory trend detects a socket leaked in every twentieth request', () => {
  const leaking = soaked(({ openFiles, requests }) => ({ openFiles: openFiles + Math.floor(requests / 20) }));
  expect(growthProblems(afterWarmUp(leaking))).toEqual([expect.stringContaining('files and sockets')]);
});

test('the memory trend ignores growth during the warm-up', () => {
  const warmingUp = soaked(({ heapUsed, openFiles }, position) =>
    position < 15 ? { heapUsed: heapUsed - 30 * megabyte, openFiles: openFiles - 150 } : {},
  );
  expect(growthProblems(afterWarmUp(warmingUp))).toEqual([]);
});
