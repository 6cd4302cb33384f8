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

/** The last name of a path with slashes at its end, where the relative links of a page would lead elsewhere. */
const slashed = /^\/(?:[\w./-]*\/)?([\w.-]*\w)(\/+)$/;

/** The same path without the slashes, relative to it, because a gateway may put a prefix before it. */
function unslashed(path: string): string | undefined {
  const [, name, slashes = ''] = slashed.exec(path) ?? [];
  return name && '../'.repeat(slashes.length) + name;
}

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
        const location = unslashed(event.path);
        if (location !== undefined) return { status: 301, body: '', headers: { Location: location } };
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
