/** Checks by their pixels whether the results match the requests. */
import type { Task } from '../../../client/client.ts';
import { unless } from '../checks.ts';
import type { ImageOperation } from './image-requests.ts';
import { alphaShare, changedShare, isSameSize, type Pixels } from './pixels.ts';

export interface Made {
  readonly task: Task;
  /** The sample images of the request. */
  readonly inputs: readonly Pixels[];
  readonly results: readonly Pixels[];
}

/** The first result of a task, and its first sample if any. */
interface Pair {
  readonly result: Pixels;
  readonly input: Pixels | undefined;
}

type Judge = (made: Made, pair: Pair) => readonly string[];

const isShaped = ({ width, height }: Pixels, across: number, down: number): boolean =>
  Math.abs(width / height / (across / down) - 1) < 0.02;

/** Checks for an image of the sample's size in which a limited share of pixels has changed. */
const changes =
  (least: number, most: number): Judge =>
  (_, { input, result }) => {
    if (!input || !isSameSize(input, result)) return ['does not have the size of its sample'];
    const share = changedShare(input, result);
    const percent = (100 * share).toFixed(1);
    return unless(share >= least && share <= most, `has ${percent}% of its pixels changed`);
  };

const judges: Readonly<Record<ImageOperation, Judge>> = {
  image: ({ results: [first, second] }) => {
    if (!first || !second) return ['does not consist of two images'];
    const isTwice = isSameSize(first, second) && changedShare(first, second) < 0.1;
    return [
      ...unless(isShaped(first, 16, 9) && isShaped(second, 16, 9), 'does not have the aspect ratio 16:9'),
      ...unless(!isTwice, 'consists of the same image twice'),
    ];
  },
  'image-edit': changes(0.5, 1),
  'character-replace': changes(0.05, 0.9),
  'background-remove': (_, { input, result }) => [
    ...unless(input !== undefined && isSameSize(input, result), 'does not have the size of its sample'),
    ...unless(alphaShare(result, 0, 0) > 0.1, 'still has its background'),
    ...unless(alphaShare(result, 255, 255) > 0.1, 'has lost its subject'),
  ],
  'image-upscale': (_, { input, result }) =>
    unless(
      input !== undefined && result.width === 2 * input.width && result.height === 2 * input.height,
      'is not twice as wide and high as its sample',
    ),
  influencer: ({ task: { influencerId } }, { result }) => [
    ...unless(isShaped(result, 3, 4), 'does not have the aspect ratio 3:4'),
    ...unless(influencerId !== undefined, 'has no influencerId'),
  ],
  'skin-enhance': changes(0.005, 0.5),
};

/** The problems with the results of an operation. */
export function problemsOfFulfilment(operation: ImageOperation, made: Made): readonly string[] {
  const [result] = made.results;
  const problems = result ? judges[operation](made, { result, input: made.inputs[0] }) : ['has no result'];
  return problems.map((problem) => `${operation} ${problem}`);
}
