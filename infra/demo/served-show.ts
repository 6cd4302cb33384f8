/** What the demos have in common whose requests name files of a server. */
import type { Task } from '../../client/client.ts';
import type { DemoOutput } from './demo.ts';
import type { SampleServer } from './images/sample-server.ts';
import type { Order } from './order.ts';
import type { GenerationShow } from './show.ts';
import type { SavedFile } from './steps/save-results.ts';

const savingSeconds = 60;

interface ServedShow extends Pick<GenerationShow, 'title' | 'requests' | 'promises' | 'followingSeconds'> {
  readonly server: SampleServer;
  /** Saves the results, and checks them. */
  readonly save: (
    output: DemoOutput,
    orders: readonly Order[],
    tasks: readonly Task[],
    signal: AbortSignal,
  ) => Promise<readonly SavedFile[]>;
}

export const servedShow = ({ server, save, requests, ...show }: ServedShow): GenerationShow => ({
  ...show,
  requests,
  addresses: { samples: server.url },
  requestsTitle: `${requests.length} requests to POST /api/v1/generate/…, each with an Idempotency-Key and a callbackUrl`,
  fileNames: requests.flatMap(({ fileNames }) => fileNames),
  results: (output, step, orders, tasks) =>
    step('The results, downloaded from their URLs', savingSeconds, (signal) => save(output, orders, tasks, signal)),
  close: () => server.close(),
});
