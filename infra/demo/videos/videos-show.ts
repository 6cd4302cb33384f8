/** The demo of the video operations. */
import { startSampleServer } from '../images/sample-server.ts';
import type { GenerationShow } from '../show.ts';
import { motionVideo } from './motion-video.ts';
import { saveVideos } from './save-videos.ts';
import { videoRequests } from './video-requests.ts';

const savingSeconds = 60;

const promises: GenerationShow['promises'] = {
  accepted: 'All requests got a 202 response and a task each.',
  completed: 'All tasks were completed, and their progress never decreased.',
  authentic: 'All webhooks had the right token, signature, content type and user agent.',
  truthful: 'Each webhook matches GET task.',
  viewable: 'Every result is an MP4 with the size, duration, sound and poster that its request and its task state.',
  replayed: 'The repeated request got the same response, marked as a replay, and debited nothing.',
  debited: 'The ledger contains one debit for the cost of each task, and no other new rows.',
  balanced: 'The balance was the sum of the ledger before and after.',
};

export async function startVideosShow(): Promise<GenerationShow> {
  const motion = await motionVideo();
  const samples = await startSampleServer([motion]);
  const requests = videoRequests(samples, motion);
  return {
    title: 'Videos from prompts and images.',
    addresses: { samples: samples.url },
    requests,
    requestsTitle: `${requests.length} requests to POST /api/v1/generate/…, each with an Idempotency-Key and a callbackUrl`,
    promises,
    fileNames: requests.flatMap(({ fileNames }) => fileNames),
    followingSeconds: 900,
    results: (demo, step, orders, tasks) =>
      step('The results, downloaded from their URLs', savingSeconds, (signal) =>
        saveVideos(demo, requests, orders, tasks, signal),
      ),
    close: () => samples.close(),
  };
}
