/** Serves a public, cacheable document: no token, no envelope. */
import { createHash } from 'node:crypto';
import type { PortFactories, PortName, With } from './context.ts';
import { headerValues } from './exchange.ts';
import { anonymous, httpLambda } from './http-lambda.ts';

export interface Served {
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Reads the document at the requested path: JSON, unless its headers say otherwise. @throws {Rejection} not-found */
export type Document<Names extends PortName = never> = (
  context: With<Names>,
  params: Readonly<Record<string, string | undefined>>,
) => Promise<Served>;

const cacheSeconds = 300;

/** A path with a slash at its end, where the relative links of a page would lead elsewhere. */
const slashed = /^(\/[\w./-]*\w)\/+$/;

export const documentLambda = <Names extends PortName = never>(
  name: string,
  read: Document<Names>,
  ports?: PortFactories<Names>,
) =>
  httpLambda(
    {
      name,
      authenticate: anonymous,
      handle: async ({ event }, _actor, context: With<Names>) => {
        const [, path] = slashed.exec(event.path) ?? [];
        if (path !== undefined) {
          return { status: 301, body: '', headers: { Location: context.settings.apiUrl + path } };
        }
        const { body, headers } = await read(context, event.pathParameters ?? {});
        const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
        const isKnown = headerValues(event, 'if-none-match').some((known) => known.includes(etag));
        return {
          status: isKnown ? 304 : 200,
          body: isKnown || event.httpMethod === 'HEAD' ? '' : body,
          headers: {
            ETag: etag,
            'Cache-Control': `public, max-age=${cacheSeconds}`,
            'X-Content-Type-Options': 'nosniff',
            ...headers,
          },
        };
      },
    },
    ports,
  );
