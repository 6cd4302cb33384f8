/** The seven operations on pictures: sample pictures become others, side by side on a contact sheet. */
import type { Show } from '../show.ts';
import { composeContactSheet, contactSheetName } from './contact-sheet.ts';
import { pictureRequests } from './picture-requests.ts';
import { startSampleServer } from './sample-server.ts';
import { savePictures } from './save-pictures.ts';

const savingSeconds = 60;
const composingSeconds = 60;

const promises: Show['promises'] = {
  accepted: 'All seven requests were answered with 202 and a task each.',
  completed: 'All seven tasks were completed, and their progress never went back.',
  authentic: 'All seven webhooks came with the right token, signature, content type and user agent.',
  truthful: 'Each webhook says what GET task says.',
  viewable: 'Every result is a picture of the type, dimensions and bytes that its task says.',
  fulfilled: 'Every result is what was asked for, as far as pixels can tell.',
  replayed: 'The repeated request got the same answer, marked as a replay, and debited nothing.',
  debited: 'The ledger has gained the seven debits, of what the tasks cost, and nothing else.',
  balanced: 'The balance was the sum of the ledger, before and after.',
};

export async function startPicturesShow(): Promise<Show> {
  const samples = await startSampleServer();
  const requests = pictureRequests(samples);
  return {
    title: 'Seven operations make pictures.',
    addresses: { samples: samples.url },
    requests,
    requestsTitle: 'Seven requests to POST /api/v1/generate/…, each with an Idempotency-Key and a callbackUrl',
    promises,
    fileNames: [...requests.flatMap(({ fileNames }) => fileNames), contactSheetName],
    followingSeconds: 300,
    async results(demo, step, orders, tasks) {
      const saved = await step('The results, from the url of each', savingSeconds, (signal) =>
        savePictures(demo, orders, tasks, signal),
      );
      await step('What was given and what was made, side by side', composingSeconds, () =>
        composeContactSheet(demo, saved),
      );
    },
    close: () => samples.close(),
  };
}
