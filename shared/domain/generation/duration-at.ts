/** The duration of the audio or video file that a field names, measured when a task is created. */
import { pathText } from '../../contracts/user-addresses.ts';
import { isProblem, problemText } from '../media/media-problem.ts';
import { Rejection } from '../rejection.ts';
import type { Inspection } from './inspection.ts';

/** The client is waiting. */
const probeMs = 5_000;

/**
 * In seconds, rounded to the nearest tenth, by a few bounded reads. The price may depend on it, so a file that cannot be downloaded or
 * read now is rejected, and so is one of another duration that takes its place before the task is worked on.
 * @throws {Rejection} invalid
 */
export async function durationAt(
  field: string,
  { outbound, addresses, files, startMeasuring }: Inspection,
): Promise<number> {
  const address = addresses.find(({ path }) => pathText(path) === field);
  if (!address || address.leadsTo === 'receiver' || address.leadsTo === 'image') {
    throw new Error(`the request has no audio or video file in ${field}`);
  }
  // Loaded only where there is a file to read: the reader of containers is large.
  const { probeMedia } = await import('../media/probe-media.ts');
  const { leadsTo: kind, limits } = address;
  const facts = await probeMedia(outbound, address.text, { kind, limits, timeoutMs: probeMs, startMeasuring });
  if (isProblem(facts)) throw new Rejection('invalid', { message: problemText(field, facts) });
  files.set(field, facts);
  return facts.durationSec;
}
