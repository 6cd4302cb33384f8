/** The demos, which differ in their requests. */
import { demoRequests } from './demo-requests.ts';
import { startSampleServer } from './images/sample-server.ts';
import { interview, recording } from './made-inputs.ts';
import { motionVideo } from './motion-video.ts';
import type { PageFile } from './results-page.ts';
import type { Show } from './show.ts';

interface Selection {
  readonly title: string;
  readonly isShown: (name: string) => boolean;
  /** The inputs that are created for the demo. */
  readonly made: readonly (() => Promise<PageFile>)[];
  /** Longer than the service needs to detect a lost callback and start polling. */
  readonly followingSeconds: number;
}

const selections = {
  speech: {
    title: 'Two sentences are converted to speech.',
    isShown: (name) => /^voice(-english)?$/.test(name),
    made: [],
    followingSeconds: 90,
  },
  images: {
    title: 'Seven operations generate images.',
    isShown: (name) => !/^(voice|video|cortes)/.test(name),
    made: [],
    followingSeconds: 300,
  },
  videos: {
    title: 'Videos from prompts and images.',
    isShown: (name) => name.startsWith('video'),
    made: [motionVideo],
    followingSeconds: 900,
  },
  all: {
    title: 'All generation operations.',
    isShown: (name) => !/-(english|frames|showcase)$/.test(name),
    made: [motionVideo, interview, recording],
    followingSeconds: 900,
  },
} as const satisfies Record<string, Selection>;

export async function startShow(kind: keyof typeof selections): Promise<Show> {
  const { title, isShown, made, followingSeconds }: Selection = selections[kind];
  const files: PageFile[] = [];
  for (const make of made) files.push(await make());
  const server = await startSampleServer(files);
  const [first, ...others] = demoRequests(server).filter(({ name }) => isShown(name));
  if (!first) throw new Error(`the demo of ${kind} has no request`);
  const requests = [first, ...others] as const;
  return {
    title,
    requests,
    followingSeconds,
    addresses: { samples: server.url },
    fileNames: requests.flatMap(({ fileNames }) => fileNames),
    close: () => server.close(),
  };
}
