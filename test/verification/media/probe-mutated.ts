/** Measures mutated files in the same way as input files, and records which took the longest. */
import { isTruncated } from '../../../shared/media-files/file-extent.ts';
import { readImageHead } from '../../../shared/media-files/image-head.ts';
import { isMeasured } from '../../../shared/media-files/measured-file.ts';
import { measurementOf } from '../../support/media/measured.ts';
import type { Numbers } from '../../support/seeded-numbers.ts';
import { mutatedFile } from './mutated-media.ts';

export interface FuzzReport {
  readonly files: number;
  /** The number of measured files, and for each kind of fault the number of rejected files. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Errors that no reader should throw. */
  readonly unclassified: readonly string[];
  readonly maxMilliseconds: number;
  /** The number of the file that took the longest, counted from 0. */
  readonly slowestFile: number;
  readonly maxMegabytes: number;
  readonly maxElements: number;
  readonly maxEntries: number;
  readonly maxScanned: number;
}

const memory = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

/**
 * @param collect runs the garbage collector, so that the measurement of a file does not include the garbage of others
 */
export function probeMutated(
  files: Parameters<typeof mutatedFile>[0],
  count: number,
  numbers: Numbers,
  collect: () => void = () => undefined,
): FuzzReport {
  const outcomes: Record<string, number> = {};
  const unclassified: string[] = [];
  let [maxMicroseconds, slowestFile, maxBytes, maxElements, maxEntries, maxScanned] = [0, 0, 0, 0, 0, 0];
  for (let file = 0; file < count; file += 1) {
    const bytes = mutatedFile(files, numbers);
    if (file % 500 === 0) collect();
    const [cpu, before] = [process.cpuUsage(), memory()];
    try {
      const { found, work } = measurementOf(bytes, [undefined, 4096, 65_536][numbers(3)]);
      const outcome = isMeasured(found) ? 'measured' : found.fault;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      maxElements = Math.max(maxElements, work.elements);
      maxEntries = Math.max(maxEntries, work.entries);
      maxScanned = Math.max(maxScanned, work.scanned);
      if (isMeasured(found) && !(found.durationSec >= 0 && Number.isFinite(found.durationSec))) {
        unclassified.push(`${found.name} has a duration of ${found.durationSec}`);
      }
      readImageHead(bytes);
      isTruncated(bytes);
    } catch (error) {
      unclassified.push((error as Error).stack ?? String(error));
    }
    const { user, system } = process.cpuUsage(cpu);
    if (user + system > maxMicroseconds) [maxMicroseconds, slowestFile] = [user + system, file];
    maxBytes = Math.max(maxBytes, memory() - before);
  }
  const [maxMilliseconds, maxMegabytes] = [maxMicroseconds / 1000, maxBytes / 2 ** 20];
  return {
    files: count,
    outcomes,
    unclassified,
    maxMilliseconds,
    slowestFile,
    maxMegabytes,
    maxElements,
    maxEntries,
    maxScanned,
  };
}
