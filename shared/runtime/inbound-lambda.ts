/** Serves calls of external parties, which are authenticated by a signature over the exact body instead of a token. */
import { successBody } from '../contracts/envelope.ts';
import { Rejection } from '../domain/rejection.ts';
import type { Actor } from './actor.ts';
import type { PortFactories, PortName, With } from './context.ts';
import { bodyBytes, type Exchange } from './exchange.ts';
import { httpLambda } from './http-lambda.ts';
import type { Reply } from './respond.ts';

export interface InboundRequest {
  readonly params: Readonly<Record<string, string | undefined>>;
  /** Headers by lower-case name; of a repeated header, the last value. */
  readonly headers: Readonly<Record<string, string>>;
  /** Query parameters; of a repeated one, the last value. */
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The exact body that was signed. */
  readonly body: string;
}

/** An external party's message whose signature has been verified. */
interface Verified<Message> {
  readonly sender: string;
  readonly message: Message;
}

const mebibyte = 2 ** 20;

export interface Inbound<Message, Names extends PortName> {
  /** The size of the longest body, by default 2 MiB: Meta sends up to a thousand changes at once. */
  readonly maxBytes?: number;
  /** Verifies the signature and parses the message. @throws {Rejection} not-found, unauthenticated */
  readonly verify: (request: InboundRequest, context: With<Names>) => Promise<Verified<Message>>;
  readonly receive: (message: Message, context: With<Names>) => Promise<void>;
  /** The response for senders that expect another than the default, an empty success in the envelope. */
  readonly respond?: (message: Message, context: With<Names>) => Reply;
}

/** @throws {Rejection} invalid, before a signature is verified: what verifies it may parse the body first */
function shortBody(event: Exchange['event'], maxBytes: number): string {
  const bytes = bodyBytes(event);
  if (bytes.length <= maxBytes) return bytes.toString();
  throw new Rejection('invalid', { message: `The body must be at most ${maxBytes / 1024} KiB.` });
}

const inboundRequest = ({ event }: Exchange, maxBytes: number): InboundRequest => ({
  params: event.pathParameters ?? {},
  headers: Object.fromEntries(Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value ?? ''])),
  query: event.queryStringParameters ?? {},
  body: shortBody(event, maxBytes),
});

/** Defines an inbound endpoint. Late messages also get a 2xx status, because senders retry until they receive one. */
export const inboundLambda = <Message, Names extends PortName = never>(
  name: string,
  {
    verify,
    receive,
    respond = () => ({ status: 200, body: successBody({}) }),
    maxBytes = 2 * mebibyte,
  }: Inbound<Message, Names>,
  ports?: PortFactories<Names>,
) =>
  httpLambda(
    {
      name,
      authenticate: async (exchange, context: With<Names>) => {
        const { sender, message } = await verify(inboundRequest(exchange, maxBytes), context);
        return { kind: 'gateway', name: sender, message } as const;
      },
      handle: async (_exchange, { message }: Extract<Actor, { kind: 'gateway' }> & { message: Message }, context) => {
        await receive(message, context);
        return respond(message, context);
      },
    },
    ports,
  );
