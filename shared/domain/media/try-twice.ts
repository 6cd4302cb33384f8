/** Repeats an attempt to read a file. */
import { isProblem, type MediaProblem } from './media-problem.ts';

/** Repeats an attempt once if the file cannot be reached, which may pass. The time limit is that of both attempts. */
export async function tryTwice<Result extends object | string>(
  attempt: () => Promise<Result | MediaProblem>,
): Promise<Result | MediaProblem> {
  const first = await attempt();
  const mayPass = typeof first === 'object' && isProblem(first) && first.problem === 'unreachable';
  return mayPass ? attempt() : first;
}
