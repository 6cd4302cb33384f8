/** The fake, started for a test and called over HTTP. */
import { type FalFakeOptions, startFalFake } from '../../../fakes/fal/fal-fake.ts';
import { falKey, open, quick } from '../../engines/fal/fal-subject.ts';
import { eventually } from '../../support/eventually.ts';

export const endpoint = 'fal-ai/nano-banana-2';
export const prompt = { prompt: 'a lighthouse' };

interface Asking {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Receipt {
  readonly request_id: string;
  readonly status_url: string;
  readonly response_url: string;
  readonly cancel_url: string;
}

export const startFake = async (options: Partial<FalFakeOptions> = {}) => {
  const fake = open(await startFalFake({ key: falKey, behavior: quick, retryDelaysMs: [20, 20, 20], ...options }));
  const ask = (url: string, { headers, ...init }: Asking = {}) =>
    fetch(url, { ...init, headers: { Authorization: `Key ${falKey}`, ...headers } });
  const post = (input: unknown, { model = endpoint, webhook = '', key = '' } = {}) =>
    ask(`${fake.queueUrl}/${model}${webhook && `?fal_webhook=${encodeURIComponent(webhook)}`}`, {
      method: 'POST',
      body: JSON.stringify(input),
      ...(key && { headers: { 'Idempotency-Key': key } }),
    });
  const submit = async (...given: Parameters<typeof post>) => (await (await post(...given)).json()) as Receipt;
  const status = async ({ status_url: url }: Receipt) => (await (await ask(url)).json()) as { status: string };
  const completed = (receipt: Receipt) =>
    eventually('completion', async () => ((await status(receipt)).status === 'COMPLETED' ? true : undefined));
  const result = async (receipt: Receipt) => {
    await completed(receipt);
    return ask(receipt.response_url);
  };
  return { fake, ask, post, submit, status, completed, result };
};
