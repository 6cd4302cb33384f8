/** Asks for both sentences to be spoken. */
import type { Client } from '../../../shared/contracts/client.ts';
import { unless } from '../checks.ts';
import type { Demo } from '../demo.ts';
import { type Sentence, sentences } from '../sentences.ts';

type Answer = Awaited<ReturnType<Client['generateVoice']>>;

/** A sentence that the service has taken on. */
export interface Order {
  readonly sentence: Sentence;
  readonly status: number;
  readonly answer: Answer['data'];
}

/** The answer and its headers. */
export async function sendSentence({ api, receiver, screen }: Demo, sentence: Sentence, signal: AbortSignal) {
  const { text, voice, idempotencyKey } = sentence;
  screen.line(`${voice}  "${text}"`);
  const body = { text, voice, callbackUrl: receiver.url };
  const { status, headers, data } = await api(signal).generateVoice({ body, idempotencyKey });
  screen.line(screen.style('dim', `${status} ${JSON.stringify(data)}`));
  return { status, headers, answer: data };
}

export async function sendSentences(demo: Demo, signal: AbortSignal): Promise<readonly [Order, Order]> {
  const order = async (sentence: Sentence): Promise<Order> => {
    const { status, answer } = await sendSentence(demo, sentence, signal);
    return { sentence, status, answer };
  };
  const orders = [await order(sentences[0]), await order(sentences[1])] as const;
  const tasks = new Set(orders.map(({ answer }) => answer.taskId));
  demo.checks.report('accepted', [
    ...orders.flatMap(({ status }) => unless(status === 202, `a request was answered with ${status}`)),
    ...unless(tasks.size === orders.length, 'both were given the same task'),
  ]);
  return orders;
}
