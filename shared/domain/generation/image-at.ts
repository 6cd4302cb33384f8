/** Inspects the image that a field names, when a task is created. */
import { pathText } from '../../contracts/user-addresses.ts';
import type { FileFacts } from '../media/file-limits.ts';
import { probeImage } from '../media/image.ts';
import { isProblem, problemText } from '../media/media-problem.ts';
import { Rejection } from '../rejection.ts';
import type { Inspection } from './inspection.ts';

/** The time limit of the probe is short, because the client is waiting. */
const probeMs = 5_000;

/**
 * The type and dimensions of the image, from its first bytes. An image that cannot be downloaded or read, or exceeds a
 * limit, is rejected. @throws {Rejection} invalid
 */
export async function imageAt(field: string, { outbound, addresses, files }: Inspection): Promise<FileFacts> {
  const address = addresses.find(({ path }) => pathText(path) === field);
  if (address?.leadsTo !== 'image') throw new Error(`the request has no image in ${field}`);
  const image = await probeImage(outbound, address.text, probeMs, address.limits);
  if (isProblem(image)) throw new Rejection('invalid', { message: problemText(field, image) });
  files.set(field, image);
  return image;
}
