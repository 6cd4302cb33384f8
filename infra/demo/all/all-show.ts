/** The demo of all generation operations. */

import type { Task } from '../../../client/client.ts';
import { clipCountOf } from '../../../shared/contracts/generate-cortes.ts';
import type { DemoOutput } from '../demo.ts';
import { imageRequests } from '../images/image-requests.ts';
import { type SampleServer, startSampleServer } from '../images/sample-server.ts';
import { describeImage, problemsOfImage, problemsOfImages } from '../images/save-images.ts';
import type { DemoRequest, Order } from '../order.ts';
import type { PageFile } from '../results-page.ts';
import { servedShow } from '../served-show.ts';
import type { GenerationShow } from '../show.ts';
import { describeSound, problemsOfSound } from '../speech/save-sounds.ts';
import { sentences } from '../speech/sentences.ts';
import { type SavedFile, saveResults } from '../steps/save-results.ts';
import { motionVideo } from '../videos/motion-video.ts';
import { describeVideo, problemsOfVideo } from '../videos/save-videos.ts';
import { type VideoRequest, videoRequests } from '../videos/video-requests.ts';
import { interview, interviewSeconds, recording } from './made-inputs.ts';

const promises: GenerationShow['promises'] = {
  accepted: 'All fourteen requests got a 202 response and a task each.',
  completed: 'All fourteen tasks were completed, and their progress never decreased.',
  authentic: 'All fourteen webhooks had the right token, signature, content type and user agent.',
  truthful: 'Each webhook matches GET task.',
  playable: 'Every sound is an MP3 file with the duration that its task states.',
  viewable: 'Every image and video has the type, dimensions and duration that its task states.',
  fulfilled: 'Every image matches its request, as far as pixels show.',
  replayed: 'The repeated request got the same response, marked as a replay, and debited nothing.',
  debited: 'The ledger contains one debit for the cost of each task, and no other new rows.',
  balanced: 'The balance was the sum of the ledger before and after.',
};

/** One for each video operation, under the operation's name. */
const shownVideos: Readonly<Record<string, string>> = {
  '2-video-creative-prompt': 'video-creative',
  '3-video-ugc': 'video-ugc',
  '4-video-imitate': 'video-imitate',
  '5-video-studio-testimonial': 'video-studio',
};

const shownAs = <Request extends DemoRequest>(request: Request, name: string): Request => ({
  ...request,
  name,
  summary: request.summary.replace(request.name, name),
});

const clipSize = { width: 720, height: 1280, hasAudio: true };

const cortes = ({ url }: SampleServer, video: PageFile): DemoRequest => ({
  name: 'cortes',
  summary: `cortes  ${video.caption}  aspectRatio "9:16"`,
  idempotencyKey: 'demo-cortes',
  inputs: async () => [video],
  fileNames: Array.from({ length: clipCountOf(interviewSeconds) }, (_, index) => `cortes-${index + 1}.mp4`),
  send: (api, { callbackUrl, ...key }) =>
    api.generateCortes({ body: { videoUrl: `${url}/${video.caption}`, aspectRatio: '9:16', callbackUrl }, ...key }),
});

const voiceChange = ({ url }: SampleServer, sound: PageFile): DemoRequest => ({
  name: 'voice-change',
  summary: `voice-change  ${sound.caption}  voice "charlotte"`,
  idempotencyKey: 'demo-voice-change',
  inputs: async () => [sound],
  fileNames: ['voice-change.mp3'],
  send: (api, { callbackUrl, ...key }) =>
    api.changeVoice({ body: { audioUrl: `${url}/${sound.caption}`, voice: 'charlotte', callbackUrl }, ...key }),
});

const isOf = (kind: string, { described }: SavedFile): boolean => described.contentType.startsWith(`${kind}/`);

const describe = (file: SavedFile): Promise<string> => {
  if (isOf('image', file)) return describeImage(file);
  return isOf('audio', file) ? describeSound(file) : describeVideo(file);
};

/** A clip must be as long as its passage. */
const expectedOf = ({ request, task, fileName }: SavedFile, videos: readonly VideoRequest[]) => {
  const passage = task.clips?.[request.fileNames.indexOf(fileName)];
  const durationSec = (passage?.endTime ?? 0) - (passage?.startTime ?? 0);
  return videos.find((candidate) => candidate === request)?.expected ?? { ...clipSize, durationSec };
};

async function save(
  output: DemoOutput,
  videos: readonly VideoRequest[],
  orders: readonly Order[],
  tasks: readonly Task[],
  signal: AbortSignal,
): Promise<readonly SavedFile[]> {
  const { files, problems } = await saveResults(output, orders, tasks, { describe, signal });
  const images = files.filter((file) => isOf('image', file));
  const films = files.filter((file) => isOf('video', file));
  const ofImages = await Promise.all(images.map(problemsOfImage));
  const ofFilms = await Promise.all(
    films.map((file) => problemsOfVideo({ ...file, expected: expectedOf(file, videos) })),
  );
  output.checks.report('playable', files.filter((file) => isOf('audio', file)).flatMap(problemsOfSound));
  output.checks.report('viewable', [...problems, ...ofImages.flat(), ...ofFilms.flat()]);
  const unfulfilled: string[] = [];
  for (const task of tasks.filter(({ id }) => images.some((file) => file.task.id === id))) {
    unfulfilled.push(...(await problemsOfImages(task, files)));
  }
  output.checks.report('fulfilled', unfulfilled);
  return files;
}

export async function startAllShow(): Promise<GenerationShow> {
  const [motion, film, sound] = [await motionVideo(), await interview(), await recording()];
  const server = await startSampleServer([motion, film, sound]);
  const videos = videoRequests(server, motion).flatMap((request) => {
    const name = shownVideos[request.name];
    return name === undefined ? [] : [shownAs(request, name)];
  });
  const spoken = shownAs(sentences[0], 'voice');
  const [first, ...images] = imageRequests(server);
  const requests = [first, ...images, spoken, voiceChange(server, sound), ...videos, cortes(server, film)] as const;
  return servedShow({
    title: 'All fourteen operations.',
    server,
    requests,
    promises,
    followingSeconds: 900,
    save: (output, orders, tasks, signal) => save(output, videos, orders, tasks, signal),
  });
}
