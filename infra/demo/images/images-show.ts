/** The demo of the seven image operations. */
import type { GenerationShow } from '../show.ts';
import { imageRequests } from './image-requests.ts';
import { startSampleServer } from './sample-server.ts';
import { saveImages } from './save-images.ts';

const savingSeconds = 60;

const promises: GenerationShow['promises'] = {
  accepted: 'All seven requests got a 202 response and a task each.',
  completed: 'All seven tasks were completed, and their progress never decreased.',
  authentic: 'All seven webhooks had the right token, signature, content type and user agent.',
  truthful: 'Each webhook matches GET task.',
  viewable: 'Every result is an image with the type, dimensions and size that its task states.',
  fulfilled: 'Every result matches its request, as far as pixels show.',
  replayed: 'The repeated request got the same response, marked as a replay, and debited nothing.',
  debited: 'The ledger contains one debit for the cost of each task, and no other new rows.',
  balanced: 'The balance was the sum of the ledger before and after.',
};

export async function startImagesShow(): Promise<GenerationShow> {
  const samples = await startSampleServer();
  const requests = imageRequests(samples);
  return {
    title: 'Seven operations generate images.',
    addresses: { samples: samples.url },
    requests,
    requestsTitle: 'Seven requests to POST /api/v1/generate/…, each with an Idempotency-Key and a callbackUrl',
    promises,
    fileNames: requests.flatMap(({ fileNames }) => fileNames),
    followingSeconds: 300,
    results: (demo, step, orders, tasks) =>
      step('The results, downloaded from their URLs', savingSeconds, (signal) =>
        saveImages(demo, orders, tasks, signal),
      ),
    close: () => samples.close(),
  };
}
