/** Serves the routes that a browser itself visits: whatever happens there ends with a redirect. */
import { Rejection } from '../domain/rejection.ts';
import type { PortFactories, PortName, With } from './context.ts';
import { cookie, readCookie } from './cookies.ts';
import type { Exchange } from './exchange.ts';
import { anonymous, httpLambda } from './http-lambda.ts';

export interface Visit {
  readonly exchange: Exchange;
  /** The value of a query parameter that is given once. */
  readonly query: (name: string) => string | undefined;
  readonly cookie: (name: string) => string | undefined;
  readonly setCookie: (name: string, value: string, maxAgeSeconds: number) => void;
}

/** Resolves with the URL to go to. */
export type Navigation<Names extends PortName = never> = (visit: Visit, context: With<Names>) => Promise<string>;

export const navigationLambda = <Names extends PortName = never>(
  name: string,
  navigate: Navigation<Names>,
  ports?: PortFactories<Names>,
) =>
  httpLambda(
    {
      name,
      authenticate: anonymous,
      handle: async (exchange, _actor, context: With<Names>) => {
        const { event, cookies } = exchange;
        const { settings } = context;
        // A service without a dashboard has none of its routes.
        if (settings.dashboardUrl === 'none') throw new Rejection('not-found');
        const visit: Visit = {
          exchange,
          query: (parameter) => {
            const [value, ...more] = event.multiValueQueryStringParameters?.[parameter] ?? [];
            return more.length === 0 ? value : undefined;
          },
          cookie: (cookieName) => readCookie(event, cookieName, settings),
          setCookie: (...given) => {
            cookies.push(cookie(...given, settings));
          },
        };
        return { status: 302, body: '', headers: { Location: await navigate(visit, context) } };
      },
    },
    ports,
  );
