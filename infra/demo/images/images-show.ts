/** The seven operations on images: sample images become others. */
import type { Show } from '../show.ts';
import { imageRequests } from './image-requests.ts';
import { startSampleServer } from './sample-server.ts';
import { saveImages } from './save-images.ts';

const savingSeconds = 60;

const promises: Show['promises'] = {
  accepted: 'All seven requests got a 202 response and a task each.',
  completed: 'All seven tasks were completed, and their progress never went back.',
  authentic: 'All seven webhooks had the right token, signature, content type and user agent.',
  truthful: 'Each webhook says the same as GET task.',
  viewable: 'Every result is an image of the type, dimensions and bytes that its task says.',
  fulfilled: 'Every result is what was asked for, as far as pixels can tell.',
  replayed: 'The repeated request got the same response, marked as a replay, and debited nothing.',
  debited: 'The ledger has gained the seven debits, of what the tasks cost, and nothing else.',
  balanced: 'The balance was the sum of the ledger, before and after.',
};

export async function startImagesShow(): Promise<Show> {
  const samples = await startSampleServer();
  const requests = imageRequests(samples);
  return {
    title: 'Seven operations make images.',
    addresses: { samples: samples.url },
    requests,
    requestsTitle: 'Seven requests to POST /api/v1/generate/…, each with an Idempotency-Key and a callbackUrl',
    promises,
    fileNames: requests.flatMap(({ fileNames }) => fileNames),
    followingSeconds: 300,
    results: (demo, step, orders, tasks) =>
      step('The results, from the url of each', savingSeconds, (signal) => saveImages(demo, orders, tasks, signal)),
    close: () => samples.close(),
  };
}
