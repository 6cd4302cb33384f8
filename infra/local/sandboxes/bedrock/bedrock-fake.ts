/**
 * A stand-in for the runtime of Amazon Bedrock on this machine: it keeps to the documented protocol of InvokeModel, so that
 * the adapter in shared/engines/bedrock, and the AWS SDK, can be tried without an account.
 *
 * - `POST /model/{modelId}/invoke` takes a model's body and answers with `{ seeds, finish_reasons, images }`; the images
 *   are small, but real: a plain one from words, one with alpha without its background, one four times as large.
 * - A body that a model does not take is a ValidationException; faults carry their type in `x-amzn-errortype`.
 * - Requests must be signed, but the fake has no keys to check a signature with.
 * - It speaks HTTP/2 without TLS, as the AWS SDK does with Bedrock when the endpoint's address begins with `http:`.
 *
 * Stable Image Core, Remove Background and Fast Upscale are known, with the limits in the user guide. Assumed,
 * because nothing documents it: that a field which a model does not know is rejected, and the text of rejections.
 *
 * A prompt that holds a word such as `[bedrock:throttled]` makes an invocation fail: see bedrock-play.ts for the words.
 */
import { once } from 'node:events';
import { createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { type BedrockFakeRequest, bedrockHttp } from './bedrock-http.ts';
import type { BedrockWish } from './bedrock-play.ts';

export interface BedrockFakeOptions {
  /** Absent or 0: any free one. Always on 127.0.0.1. */
  readonly port?: number;
  /** How each invocation ends whose prompt wishes for nothing else; by default with an image. */
  readonly wish?: BedrockWish;
}

export interface BedrockFake {
  /** For `AWS_ENDPOINT_URL_BEDROCK_RUNTIME`, without a slash at its end. */
  readonly url: string;
  /** The latest invocations, oldest first. */
  readonly requests: readonly BedrockFakeRequest[];
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Rejects when the port is taken. */
export const startBedrockFake = async ({ port = 0, wish }: BedrockFakeOptions = {}): Promise<BedrockFake> => {
  const requests: BedrockFakeRequest[] = [];
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer(bedrockHttp({ requests, ...(wish && { wish }) }));
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
};
