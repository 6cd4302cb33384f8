/** The video that a task of each operation must result in, typed from the specification and never derived from the code. */

interface PromisedVideo {
  readonly width: number;
  readonly height: number;
  readonly durationSec: number;
}

type Input = Readonly<Record<string, unknown>>;

const promised: Readonly<Record<string, (input: Input) => PromisedVideo>> = {
  'toy-video': ({ durationSec }) => ({ width: 64, height: 48, durationSec: Number(durationSec) }),
};

/** By the operation's path name, and its input as the engine receives it. */
export function promisedVideo(operation: string, input: Input): PromisedVideo {
  const video = promised[operation]?.(input);
  if (!video) throw new Error(`say in test/support/promised-videos.ts which video ${operation} results in`);
  return video;
}
