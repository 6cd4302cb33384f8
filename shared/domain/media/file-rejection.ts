/** The rejection of a request because of one of its files. */
import { Rejection, type RejectionKind } from '../rejection.ts';
import { type MediaProblem, problemText } from './media-problem.ts';

/** A busy machine has usually measured its files after this time. */
const busySeconds = 2;

/** The rejection; if the machine was too busy to measure the file, the client can repeat the request. */
export function fileRejection(field: string, problem: MediaProblem, kind: RejectionKind = 'invalid'): Rejection {
  const message = problemText(field, problem);
  return problem.isBusy
    ? new Rejection('overloaded', { message, retryAfterSeconds: busySeconds })
    : new Rejection(kind, { message });
}
