/** All requests of the load, and how frequent each is. */
import { createCarefully, createCarelessly, crowd, race, replay } from './creation-requests.ts';
import { badInput, hurry, narrowToken, nowhere, stranger, wrongToken } from './rejected-requests.ts';
import { cancel, download, dryRun, getTask, listTasks } from './task-requests.ts';
import { anyone, type Worker } from './worker.ts';

const simply =
  (operationId: 'listPlans' | 'getHealth' | 'listCreditHistory' | 'getProfile', withToken: boolean) =>
  async (worker: Worker): Promise<void> => {
    const token = withToken ? anyone(worker).token() : undefined;
    await worker.requester.send({ operationId, token, expected: ['200'] });
  };

/** What is asked, and by how often. */
export const shares = {
  createCarefully: 18,
  createCarelessly: 14,
  replay: 8,
  race: 1,
  crowd: 0.3,
  getTask: 16,
  listTasks: 6,
  credits: 5,
  profile: 3,
  cancel: 4,
  dryRun: 4,
  badInput: 5,
  plans: 2,
  health: 2,
  wrongToken: 3,
  narrowToken: 1,
  stranger: 2,
  hurry: 1,
  download: 2,
  nowhere: 1,
} as const;

export const requests: Readonly<Record<keyof typeof shares, (worker: Worker) => Promise<unknown>>> = {
  createCarefully,
  createCarelessly: (worker) => createCarelessly(worker, anyone(worker)),
  replay,
  race,
  crowd,
  getTask,
  listTasks,
  credits: simply('listCreditHistory', true),
  profile: simply('getProfile', true),
  cancel,
  dryRun,
  badInput,
  plans: simply('listPlans', false),
  health: simply('getHealth', false),
  wrongToken,
  narrowToken,
  stranger,
  hurry,
  download,
  nowhere,
};
