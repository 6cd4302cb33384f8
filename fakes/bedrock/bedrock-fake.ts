/**
 * A local fake of the Amazon Bedrock runtime. It follows the documented protocol of InvokeModel, so that the adapters in
 * shared/engines/bedrock and shared/text-writers/bedrock and the AWS SDK can be tested without an account.
 *
 * - `POST /model/{modelId}/invoke` takes a model's body and returns `{ seeds, finish_reasons, images }`; the images
 *   are small but real: a plain one for a prompt, one with its background removed, one four times as large.
 * - `POST /model/{modelId}/converse` takes a conversation with images and returns the text of a language model.
 * - A body that a model does not accept is a ValidationException; errors have their type in `x-amzn-errortype`.
 * - Requests must be signed, but the fake does not verify signatures.
 * - It speaks HTTP/2 without TLS, as the AWS SDK does with Bedrock when the endpoint's URL begins with `http:`.
 *
 * It supports Stable Image Core, Remove Background and Fast Upscale, with the limits in the user guide. Two things are
 * assumed, because they are undocumented: that unknown fields are rejected, and the text of the error messages.
 *
 * A word such as `[bedrock:throttled]` in a prompt makes an invocation fail: bedrock-behavior.ts lists them.
 */
import { once } from 'node:events';
import { createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { OutcomeName } from './bedrock-behavior.ts';
import { type BedrockFakeRequest, bedrockHttp } from './bedrock-http.ts';

export interface BedrockFakeOptions {
  /** The port on 127.0.0.1; any free one if absent or 0. */
  readonly port?: number;
  /** The outcome of invocations whose prompt requests none; by default, an image. */
  readonly outcome?: OutcomeName;
}

export interface BedrockFake {
  /** The value for `AWS_ENDPOINT_URL_BEDROCK_RUNTIME`, without a trailing slash. */
  readonly url: string;
  /** The latest invocations, oldest first. */
  readonly requests: readonly BedrockFakeRequest[];
  /** Closes all connections. */
  close(): Promise<void>;
}

/** Starts the fake. Rejects if the port is in use. */
export const startBedrockFake = async ({ port = 0, outcome }: BedrockFakeOptions = {}): Promise<BedrockFake> => {
  const requests: BedrockFakeRequest[] = [];
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer(bedrockHttp({ requests, ...(outcome && { outcome }) }));
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
