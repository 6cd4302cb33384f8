/**
 * Tests a deployed stage with a test token, which costs nothing: a result, a refund, and how they change the balance.
 */
import { ApiError, type Client, TaskFailedError } from '../../client/client.ts';

/** One check: a statement that is true of a working stage, and a function that tests it. */
interface Check {
  readonly name: string;
  readonly run: () => Promise<boolean>;
}

const waiting = { timeoutSeconds: 120 };

/** The audio of a task that completes can be downloaded. */
async function speaks(api: Client, download: typeof fetch): Promise<boolean> {
  const { data } = await api.generateVoice({ body: { text: 'Smoke test.', voice: 'sarah' } });
  const { resultUrl } = await api.waitForTask(data.taskId, waiting);
  const response = await download(resultUrl);
  const bytes = (await response.arrayBuffer()).byteLength;
  return response.ok && response.headers.get('content-type') === 'audio/mpeg' && bytes > 1000;
}

/** A task that fails gives its credits back. */
async function refunds(api: Client): Promise<boolean> {
  const { data } = await api.generateImage({ body: { prompt: '[test:provider_error]' } });
  const failure: unknown = await api.waitForTask(data.taskId, waiting).catch((error: unknown) => error);
  const [refund, debit] = (await api.listCreditHistory({ query: { limit: 2 } })).data.history;
  const isRefunded = refund?.reason === 'refund' && refund.amount === -(debit?.amount ?? 0);
  return failure instanceof TaskFailedError && failure.code === 'PROVIDER_ERROR' && isRefunded;
}

const isRejected = (calling: Promise<unknown>, status: number): Promise<boolean> =>
  calling.then(
    () => false,
    (error: unknown) => error instanceof ApiError && error.status === status,
  );

const checksOf = (api: Client, download: typeof fetch): readonly Check[] => [
  { name: 'the service is healthy', run: async () => (await api.getHealth()).data.status === 'ok' },
  { name: 'a sentence becomes a file', run: () => speaks(api, download) },
  { name: 'a failed task is refunded', run: () => refunds(api) },
  {
    name: 'an invalid request is rejected',
    run: () => isRejected(api.generateVoice({ body: { text: '', voice: 'sarah' } }), 400),
  },
];

/** Refuses live tokens, so that no deployment costs credits. */
async function requireTestToken(api: Client): Promise<void> {
  const { headers } = await api.getProfile();
  if (headers.get('x-test-mode') !== 'true') throw new Error('The token is a live one: pass a test token.');
}

/** Runs all checks, one after another; resolves with whether all passed. @throws {Error} if the token is a live one */
export async function smoke(api: Client, write: (line: string) => void, download: typeof fetch): Promise<boolean> {
  await requireTestToken(api);
  let isPassed = true;
  for (const { name, run } of checksOf(api, download)) {
    const problem = await run().then(
      (passed) => (passed ? undefined : 'not as expected'),
      (error: unknown) => String(error),
    );
    write(problem === undefined ? `✓ ${name}` : `✗ ${name}: ${problem}`);
    isPassed &&= problem === undefined;
  }
  return isPassed;
}
