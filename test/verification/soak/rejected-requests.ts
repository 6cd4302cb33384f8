/** Requests that the service must reject. */
import { tokenText } from '../../../shared/domain/tokens/token.ts';
import { anyone, type Worker } from './worker.ts';

const volley = 10;

const badBodies = [
  '{"text":',
  '[]',
  {},
  { text: 'sem voz' },
  { text: '', voice: 'sarah' },
  { text: 'a'.repeat(2001), voice: 'sarah' },
  { text: 'boa', voice: 'nobody' },
  { text: 'boa', voice: 'sarah', stability: 2 },
  { text: 'boa', voice: 'sarah', callbackUrl: 'http://example.com/not-https' },
];

export async function badInput(worker: Worker): Promise<void> {
  const { chance, requester } = worker;
  const common = { token: anyone(worker).token(), expected: ['VALIDATION_ERROR'] };
  if (chance.strikes(0.3)) await requester.send({ ...common, operationId: 'listTasks', query: 'limit=0&status=lost' });
  else await requester.send({ ...common, operationId: 'generateVoice', body: chance.pick(badBodies) });
}

export async function wrongToken(worker: Worker): Promise<void> {
  const { chance, requester } = worker;
  const token = chance.pick([
    undefined,
    'av_short',
    tokenText(
      chance
        .between(0, 2 ** 31)
        .toString(16)
        .padStart(56, '0'),
    ),
  ]);
  await requester.send({ operationId: 'getProfile', token, expected: ['UNAUTHORIZED'] });
}

export async function narrowToken(worker: Worker): Promise<void> {
  const token = anyone(worker).narrowToken;
  await worker.requester.send({ operationId: 'getProfile', token, expected: ['FORBIDDEN', 'RATE_LIMITED'] });
}

/** A task of another account is as good as none. */
export async function stranger(worker: Worker): Promise<void> {
  const { chance, customers, requester } = worker;
  const taskId = chance.pick(customers.crowded.recent);
  const operationId = chance.strikes(0.5) ? 'getTask' : 'cancelTask';
  const params = { taskId: taskId ?? 'no-id-at-all' };
  await requester.send({ operationId, token: anyone(worker).token(), params, expected: ['NOT_FOUND'] });
}

/** A volley of requests with one token, which may make 60 a minute. */
export async function hurry({ customers, requester }: Worker): Promise<void> {
  const token = customers.hurried.token();
  const expected = ['200', 'RATE_LIMITED'];
  const ask = () => requester.send({ operationId: 'getProfile', token, expected });
  await Promise.all(Array.from({ length: volley }, ask));
}

export async function nowhere({ requester }: Worker): Promise<void> {
  await requester.send({ operationId: undefined, expected: ['NOT_FOUND'] });
}
