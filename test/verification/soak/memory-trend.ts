/** Detects growth of a process: its memory and open files over time, less what is accounted for. */
import { percentile } from '../../../bench/percentile.ts';

export interface Sample {
  /** The number of completed requests. */
  readonly requests: number;
  /** Bytes in use right after a garbage collection. */
  readonly heapUsed: number;
  readonly rss: number;
  readonly openFiles: number;
  /** Ended executions and stored objects: the stand-ins for AWS keep something of each in the process. */
  readonly executions: number;
  readonly objects: number;
}

/** Bytes that the stand-in for Step Functions keeps of an ended execution, of the latest 10,000; as measured. */
const executionBytes = 4000;
/** Bytes that the stand-in for S3 keeps of an object beside its file: key, type, checksum; as measured. */
const objectBytes = 900;

/** As long as code is compiled and pools are filled; a fifth of the time. */
const warmUpShare = 0.2;

export const afterWarmUp = (samples: readonly Sample[]): readonly Sample[] =>
  samples.slice(Math.floor(samples.length * warmUpShare));

export interface Trend {
  readonly first: number;
  readonly last: number;
}

/** The medians of a value in the first third of the samples and in the last. */
export function trendOf(samples: readonly Sample[], read: (sample: Sample) => number): Trend {
  const size = Math.max(1, Math.floor(samples.length / 3));
  const median = (some: readonly Sample[]) => percentile(some.map(read), 0.5);
  return { first: median(samples.slice(0, size)), last: median(samples.slice(-size)) };
}

const growthOf = ({ first, last }: Trend): number => last - first;

const unaccounted = ({ heapUsed, executions, objects }: Sample): number =>
  heapUsed - executions * executionBytes - objects * objectBytes;

/** Bytes by which the heap has grown beyond what is accounted for. */
export const heapGrowth = (samples: readonly Sample[]): number => growthOf(trendOf(samples, unaccounted));

/**
 * 0.25 MB for a thousand requests: less than the smallest thing that could be kept of each by mistake, for an event
 * takes several kilobytes, and a closure with what it holds hardly less than half of one.
 */
const toleratedPerRequest = 250;

/** What two medians differ by because more connections were open, or more webhooks under way, at one than the other. */
const noiseBytes = 2 * 2 ** 20;

/** Pools of connections breathe by so many; a socket kept of every tenth webhook would be more in five minutes. */
const toleratedFiles = 128;

/** A sentence for each thing of which the process takes more and more. */
export function growthProblems(samples: readonly Sample[]): string[] {
  const requests = growthOf(trendOf(samples, (sample) => sample.requests));
  const heap = heapGrowth(samples);
  const tolerated = noiseBytes + requests * toleratedPerRequest;
  const files = growthOf(trendOf(samples, ({ openFiles }) => openFiles));
  return [
    ...(heap > tolerated
      ? [`the heap grew by ${Math.round(heap)} bytes with ${requests} requests, and at most ${tolerated} are tolerated`]
      : []),
    ...(files > toleratedFiles ? [`${files} more files and sockets are open than before`] : []),
  ];
}
