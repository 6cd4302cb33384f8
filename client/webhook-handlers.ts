/** Ready handlers that receive webhooks: they verify each, and respond once its event has been handled. */
import type { TaskCompleted, TaskFailed } from './operations.ts';
import { verifyWebhook, type WebhookRejection, type WebhookRequest } from './verify-webhook.ts';
import { type WebhookKeysOptions, webhookKeys } from './webhook-keys.ts';

/** The content of a webhook; further members may be added later. */
export type WebhookEvent = TaskCompleted | TaskFailed;

export interface WebhookDelivery {
  /** The same for every attempt at an event: store it to detect duplicates. */
  readonly id: string;
  /** When the attempt was made, in Unix seconds. */
  readonly timestamp: number;
}

export interface WebhookHandlersOptions extends WebhookKeysOptions {
  /** The webhook token that was shown when your API token was created. */
  readonly webhookToken: string;
  /** How many seconds the timestamp may be in the past or future; 300 by default. */
  readonly toleranceSeconds?: number;
  /** Called with the reason for which a request was rejected. */
  readonly onRejected?: (reason: WebhookRejection) => void;
  /** Called with the error of `onEvent` if no framework handles it; by default, the error is printed. */
  readonly onError?: (error: unknown) => void;
}

/** Handles an event. If it throws, the service sends the webhook again. */
export type OnWebhookEvent = (event: WebhookEvent, delivery: WebhookDelivery) => unknown;

type Headers = WebhookRequest['headers'];

/** A request of Node or Express. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: unknown;
}

export interface NodeResponse {
  statusCode: number;
  end(): unknown;
}

/** What a plugin needs of Fastify, whose own types are too generic to be assignable. */
interface FastifyApp {
  addContentTypeParser(
    contentType: string,
    options: { readonly parseAs: 'buffer' },
    parser: (request: never, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown;
  post(
    path: string,
    handler: (
      request: { readonly headers: NodeRequest['headers']; readonly body: unknown },
      reply: { code(status: number): { send(): unknown } },
    ) => Promise<unknown>,
  ): unknown;
}

export interface WebhookHandlers {
  /** For Next.js, Deno, Bun and edge runtimes. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly hono: (context: { readonly req: { readonly raw: Request } }) => Promise<Response>;
  /** For `http.createServer`, and for Express before any parser of bodies, or behind `express.raw({ type: '*' + '/*' })`. */
  readonly node: (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void) => Promise<void>;
  /** A plugin that handles POST at a path: `app.register(handlers.fastify('/webhooks'))`. */
  readonly fastify: (path: string) => (app: object, options: unknown, done: () => void) => void;
}

/** The most bytes of a body; webhooks are much smaller. */
const mostBytes = 1_048_576;

/** The raw body. If a parser of a framework has read the body before, it must have kept the bytes or the text. */
async function bodyOf(request: NodeRequest): Promise<unknown> {
  if (request.body !== undefined) return request.body;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= mostBytes) chunks.push(chunk);
  }
  if (bytes > mostBytes) return undefined;
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

export function webhookHandlers(options: WebhookHandlersOptions, onEvent: OnWebhookEvent): WebhookHandlers {
  const { webhookToken, toleranceSeconds, now, onRejected, onError = console.error } = options;
  const keys = webhookKeys(options);

  /** Returns the status to respond with. @throws what `onEvent` throws */
  const receive = async (headers: Headers, given: unknown): Promise<number> => {
    const body = given as string | Uint8Array;
    const verdict = await verifyWebhook({ body, headers, keys, webhookToken, toleranceSeconds, now: now?.() });
    if (!verdict.ok) {
      onRejected?.(verdict.reason);
      return verdict.reason === 'keys not available' ? 503 : 400;
    }
    const { id, timestamp } = verdict;
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    await onEvent(JSON.parse(text) as WebhookEvent, { id, timestamp });
    return 204;
  };
  const handle = async (request: Request): Promise<Response> => {
    const body = new Uint8Array(await request.arrayBuffer());
    return new Response(null, { status: await receive(request.headers, body) });
  };
  return {
    fetch: handle,
    hono: ({ req }) => handle(req.raw),
    node: async (request, response, next) => {
      try {
        response.statusCode = await receive(request.headers, await bodyOf(request));
      } catch (error) {
        response.statusCode = 500;
        if (next) return next(error);
        onError(error);
      }
      response.end();
    },
    fastify: (path) => (instance, _options, done) => {
      const app = instance as FastifyApp;
      app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, parsed) =>
        parsed(null, body),
      );
      app.post(path, async ({ headers, body }, reply) => reply.code(await receive(headers, body)).send());
      done();
    },
  };
}
