/** Recognizes repeated submissions, so that the fake can reject a first attempt and accept a second one. */
import { createHash } from 'node:crypto';
import type { ModelInput } from './fal-endpoint.ts';

export interface Submission {
  readonly endpoint: string;
  readonly input: ModelInput;
  readonly webhook: string | undefined;
  readonly idempotencyKey: string | undefined;
}

interface Submitter {
  attempts: number;
  accepted: number;
  /** The id of the latest accepted request, unless it has been lost. */
  requestId?: string;
}

const keptEntries = 1000;

/** Drops the oldest entry of a map that has grown too large. */
export const keepLatest = (entries: Map<string, unknown>): void => {
  const [oldest] = entries.keys();
  if (entries.size > keptEntries && oldest !== undefined) entries.delete(oldest);
};

const nameOf = ({ endpoint, input, idempotencyKey }: Submission) =>
  idempotencyKey ??
  createHash('sha256')
    .update(JSON.stringify([endpoint, input]))
    .digest('hex');

/** Identifies a submitter by the idempotency key, or else by the submission itself. */
export const submitters = (): ((submission: Submission) => Submitter) => {
  const known = new Map<string, Submitter>();
  return (submission) => {
    const name = nameOf(submission);
    const submitter = known.get(name) ?? { attempts: 0, accepted: 0 };
    known.set(name, submitter);
    keepLatest(known);
    return submitter;
  };
};
