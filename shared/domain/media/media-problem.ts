/** Problems with an input file, worded for the client. */
import { type InputLimits, type MediaType, megabytes, typeNames } from '../../contracts/media.ts';
import { OutboundFailed, type OutboundFailureReason, OutboundRejected } from '../../platform/safe-fetch.ts';

/**
 * `unreachable` may be temporary, the others are permanent. `outOfLimits`: too many bytes, pixels or seconds.
 * `contradictory`: the file's content differs from what it declares. `scattered`: it cannot be measured before it is
 * copied.
 */
export interface MediaProblem {
  readonly problem: 'unreachable' | 'invalid' | 'contradictory' | 'scattered' | 'unsupported' | 'outOfLimits';
  /** A problem with an input file, worded to follow a field's name. */
  readonly reason: string;
  /** Whether the file has more media than was paid for. */
  readonly isTooLong?: true;
  /** Whether the file is not to blame: the machine was too busy to measure it in time. */
  readonly isBusy?: true;
}

export const isProblem = (value: object): value is MediaProblem => 'problem' in value;

export const invalid = (reason: string): MediaProblem => ({ problem: 'invalid', reason });

export const contradictory = (reason: string): MediaProblem => ({ problem: 'contradictory', reason });

export const truncated: MediaProblem = invalid('is truncated');

export const outOfLimits = (reason: string): MediaProblem => ({ problem: 'outOfLimits', reason });

/** The problem of a file that has more media than was paid for. */
export const tooLong = (reason: string): MediaProblem => ({ ...outOfLimits(reason), isTooLong: true });

export const unreachable = (why: string): MediaProblem => ({
  problem: 'unreachable',
  reason: `could not be downloaded: ${why}`,
});

/** Builds a message such as `imageUrl is not a readable PNG file`. */
export const problemText = (field: string, { reason }: MediaProblem): string => `${field} ${reason}`;

export const tooManyBytes = ({ maxBytes }: InputLimits): MediaProblem =>
  outOfLimits(`must be at most ${megabytes(maxBytes)}`);

/** The problem of an unsupported type, such as `imageUrl must be a JPEG or PNG file, not WebP`. */
export function unsupported(name: string, types: readonly MediaType[]): MediaProblem {
  const accepted = typeNames(types);
  return {
    problem: 'unsupported',
    reason: `must be ${accepted.startsWith('M') ? 'an' : 'a'} ${accepted} file, not ${name}`,
  };
}

export const unreadable = (types: readonly MediaType[]): MediaProblem =>
  invalid(`is not a readable ${typeNames(types)} file`);

const reasons: Readonly<Record<Exclude<OutboundFailureReason, 'too-large'>, string>> = {
  'invalid-request': 'the address is not allowed',
  timeout: 'it took too long',
  dns: 'the host name was not found',
  connection: 'the connection failed',
  tls: 'the TLS connection failed',
  protocol: 'the response is not valid HTTP',
  redirect: 'there were too many redirects',
  changed: 'the file changed while it was being read',
};

/** The problem with a file whose request failed; rethrows errors that the file did not cause. */
export function problemOfFailure(error: unknown, limits: InputLimits): MediaProblem {
  if (error instanceof OutboundRejected) return unreachable('the address is not allowed');
  if (!(error instanceof OutboundFailed)) throw error;
  return error.reason === 'too-large' ? tooManyBytes(limits) : unreachable(reasons[error.reason]);
}
