/** The demo of the seven image operations. */
import { servedShow } from '../served-show.ts';
import type { GenerationShow } from '../show.ts';
import { imageRequests } from './image-requests.ts';
import { startSampleServer } from './sample-server.ts';
import { saveImages } from './save-images.ts';

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
  const server = await startSampleServer();
  return servedShow({
    title: 'Seven operations generate images.',
    server,
    requests: imageRequests(server),
    promises,
    followingSeconds: 300,
    save: saveImages,
  });
}
