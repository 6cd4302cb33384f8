/** The demo of the main flow: two sentences are converted to speech. */
import type { GenerationShow } from '../show.ts';
import { saveSounds } from './save-sounds.ts';
import { sentences } from './sentences.ts';

const savingSeconds = 15;

export const speechShow: GenerationShow = {
  title: 'Two sentences are converted to speech.',
  addresses: {},
  requests: sentences,
  requestsTitle: 'Two requests to POST /api/v1/generate/voice, each with an Idempotency-Key and a callbackUrl',
  promises: {
    accepted: 'Both requests got a 202 response and a task each.',
    completed: 'Both tasks were completed, and their progress never decreased.',
    authentic: 'Both webhooks had the right token, signature, content type and user agent.',
    truthful: 'Each webhook matches GET task.',
    playable: 'Both results are different MP3 files with the durations that their tasks state.',
    replayed: 'The repeated request got the same response, marked as a replay, and debited nothing.',
    debited: 'The ledger contains one debit for the cost of each task, and no other new rows.',
    balanced: 'The balance was the sum of the ledger before and after.',
  },
  fileNames: sentences.flatMap(({ fileNames }) => fileNames),
  followingSeconds: 90,
  results: (demo, step, orders, tasks) =>
    step('The results, downloaded from their URLs', savingSeconds, (signal) => saveSounds(demo, orders, tasks, signal)),
  close: async () => undefined,
};
