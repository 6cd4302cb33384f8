/** The demo of the video operations. */
import { startSampleServer } from '../images/sample-server.ts';
import { servedShow } from '../served-show.ts';
import type { GenerationShow } from '../show.ts';
import { motionVideo } from './motion-video.ts';
import { saveVideos } from './save-videos.ts';
import { videoRequests } from './video-requests.ts';

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
  const server = await startSampleServer([motion]);
  const requests = videoRequests(server, motion);
  return servedShow({
    title: 'Videos from prompts and images.',
    server,
    requests,
    promises,
    followingSeconds: 900,
    save: (demo, orders, tasks, signal) => saveVideos(demo, requests, orders, tasks, signal),
  });
}
