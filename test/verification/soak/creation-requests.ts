/** Requests for generations: with or without a key, once, repeated, or several at a time. */

import type { SoakResponse } from './checked-client.ts';
import { type Customer, type KeyedCreation, remember } from './customers.ts';
import { slowMark } from './soak-engine.ts';
import { anyone, generation, type Worker } from './worker.ts';

/** The permitted responses to a valid request for a generation. */
export const creationCodes = ['202', 'INSUFFICIENT_CREDITS', 'MAX_CONCURRENT_TASKS'];

/** More than an account may have open at once. */
const crowdSize = 24;

const taskIdOf = ({ data }: SoakResponse): string => (data as { taskId: string }).taskId;

/** Out of credits: credits are added later. */
async function payIfAsked({ chance, customers }: Worker, customer: Customer, { code }: SoakResponse): Promise<void> {
  if (code === 'INSUFFICIENT_CREDITS' && chance.strikes(0.3)) await customers.grant(customer, chance.between(10, 80));
}

async function createWithKey(worker: Worker, customer: Customer, creation: KeyedCreation): Promise<SoakResponse> {
  const { key, body } = creation;
  const response = await worker.requester.send({
    operationId: 'generateVoice',
    token: customer.token(),
    headers: { 'idempotency-key': key, 'x-client-reference': key },
    body,
    expected: creation.taskId ? ['202'] : creationCodes,
  });
  if (response.code !== '202') return response;
  const taskId = taskIdOf(response);
  if (creation.taskId && creation.taskId !== taskId) {
    worker.requester.object(`the key ${key} stood for ${creation.taskId} and now for ${taskId}`);
  }
  if (!creation.taskId) remember(customer.recent, taskId);
  creation.taskId = taskId;
  return response;
}

/** As a careful client does: a request without a response is repeated with the same key. */
export async function createCarefully(worker: Worker): Promise<void> {
  const customer = anyone(worker);
  const creation: KeyedCreation = { key: worker.nextKey(), body: generation(worker) };
  remember(customer.creations, creation);
  let response = await createWithKey(worker, customer, creation);
  for (let tries = 1; tries < 4 && response.code === 'INTERNAL_ERROR'; tries += 1) {
    response = await createWithKey(worker, customer, creation);
  }
  await payIfAsked(worker, customer, response);
}

export async function createCarelessly(worker: Worker, customer: Customer, text?: string): Promise<SoakResponse> {
  const response = await worker.requester.send({
    operationId: 'generateVoice',
    token: customer.token(),
    body: generation(worker, text),
    expected: creationCodes,
  });
  if (response.code === '202') remember(customer.recent, taskIdOf(response));
  await payIfAsked(worker, customer, response);
  return response;
}

export async function replay(worker: Worker): Promise<void> {
  const { chance, requester } = worker;
  const customer = anyone(worker);
  const creation = chance.pick(customer.creations.filter(({ taskId }) => taskId !== undefined));
  if (!creation) return;
  const body = chance.strikes(0.2) ? generation(worker) : creation.body;
  const response = await createWithKey(worker, customer, { ...creation, body });
  if (response.code === '202' && response.headers.get('idempotent-replayed') !== 'true') {
    requester.object(`the key ${creation.key} was used before, and its response does not say so`);
  }
}

/** Several processes of a back end at the same time, with one key. */
export async function race(worker: Worker): Promise<void> {
  const customer = anyone(worker);
  const creation: KeyedCreation = { key: worker.nextKey(), body: generation(worker) };
  const responses = await Promise.all(
    Array.from({ length: worker.chance.between(2, 6) }, () => createWithKey(worker, customer, { ...creation })),
  );
  const accepted = responses.filter(({ code }) => code === '202').map(taskIdOf);
  if (new Set(accepted).size > 1) worker.requester.object(`one key made ${accepted.join(' and ')}`);
}

/** More tasks at once than an account may have open. */
export async function crowd(worker: Worker): Promise<void> {
  const { crowded } = worker.customers;
  await Promise.all(
    Array.from({ length: crowdSize }, () => createCarelessly(worker, crowded, `${slowMark} se vai ao longe`)),
  );
}
