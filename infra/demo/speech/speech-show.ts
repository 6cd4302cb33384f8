/** The service's main job: two sentences become speech. */
import type { Show } from '../show.ts';
import { saveSounds } from './save-sounds.ts';
import { sentences } from './sentences.ts';

const savingSeconds = 15;

export const speechShow: Show = {
  title: 'Two sentences become speech.',
  addresses: {},
  requests: sentences,
  requestsTitle: 'Two requests to POST /api/v1/generate/voice, each with an Idempotency-Key and a callbackUrl',
  promises: {
    accepted: 'Both requests got a 202 response and a task each.',
    completed: 'Both tasks were completed, and their progress never went back.',
    authentic: 'Both webhooks had the right token, signature, content type and user agent.',
    truthful: 'Each webhook says the same as GET task.',
    playable: 'Both results are MP3 files, different, and as long as their task says.',
    replayed: 'The repeated request got the same response, marked as a replay, and debited nothing.',
    debited: 'The ledger has gained the two debits, of what the tasks cost, and nothing else.',
    balanced: 'The balance was the sum of the ledger, before and after.',
  },
  fileNames: sentences.flatMap(({ fileNames }) => fileNames),
  followingSeconds: 90,
  results: (demo, step, orders, tasks) =>
    step('The results, from each resultUrl', savingSeconds, (signal) => saveSounds(demo, orders, tasks, signal)),
  close: async () => undefined,
};
