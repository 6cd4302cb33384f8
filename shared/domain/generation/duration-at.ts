/** Measures the duration of the audio or video file that a field names, when a task is created. */
import { pathText } from '../../contracts/user-addresses.ts';
import { fileRejection } from '../media/file-rejection.ts';
import { isProblem } from '../media/media-problem.ts';
import type { Inspection } from './inspection.ts';

/** The time limit of the probe is short, because the client is waiting. */
const probeMs = 5_000;

/**
 * The duration in seconds, rounded to the nearest tenth, measured with a few limited reads. Because the price may
 * depend on it, a file that cannot be downloaded or read now is rejected; so is, later, a file at the same URL with
 * another duration. @throws {Rejection} invalid, overloaded
 */
export async function durationAt(
  field: string,
  { outbound, addresses, files, measuring }: Inspection,
): Promise<number> {
  const address = addresses.find(({ path }) => pathText(path) === field);
  if (!address || address.leadsTo === 'receiver' || address.leadsTo === 'image') {
    throw new Error(`the request has no audio or video file in ${field}`);
  }
  // The container reader is large, so it is imported only if there is a file to read.
  const { probeMedia } = await import('../media/probe-media.ts');
  const { leadsTo: kind, limits } = address;
  const expected = { kind, limits, measuring };
  const facts = await probeMedia(outbound, address.text, { ...expected, timeoutMs: probeMs, isReadAgain: true });
  if (isProblem(facts)) throw fileRejection(field, facts);
  files.set(field, facts);
  return facts.durationSec;
}
