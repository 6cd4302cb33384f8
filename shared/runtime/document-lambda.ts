/** A JSON document that anybody may read and caches may store: no token, no envelope. */
import type { PortFactories, PortName, With } from './context.ts';
import { anonymous, httpLambda } from './http-lambda.ts';

/** Reads what is served as JSON. */
export type Document<Names extends PortName> = (context: With<Names>) => Promise<object>;

const cacheSeconds = 300;

export const documentLambda = <Names extends PortName = never>(
  name: string,
  read: Document<Names>,
  ports?: PortFactories<Names>,
) =>
  httpLambda(
    {
      name,
      authenticate: anonymous,
      handle: async (_exchange, _actor, context: With<Names>) => ({
        status: 200,
        body: JSON.stringify(await read(context)),
        headers: { 'Cache-Control': `public, max-age=${cacheSeconds}`, 'X-Content-Type-Options': 'nosniff' },
      }),
    },
    ports,
  );
