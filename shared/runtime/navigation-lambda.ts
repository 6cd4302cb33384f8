/** Serves the routes that a browser visits directly: every visit, even a failed one, ends with a redirect. */

import { Rejection } from '../domain/rejection.ts';
import { homePath, operatorPages, withProblem } from '../domain/sessions/return-path.ts';
import type { PortFactories, PortName, With } from './context.ts';
import { cookie, readCookie } from './cookies.ts';
import type { Exchange } from './exchange.ts';
import { anonymous, httpLambda } from './http-lambda.ts';
import { logFailure } from './respond.ts';

export interface Visit {
  readonly exchange: Exchange;
  /** A parameter of the path. */
  readonly param: (name: string) => string | undefined;
  /** A query parameter; undefined if it is repeated. */
  readonly query: (name: string) => string | undefined;
  readonly cookie: (name: string) => string | undefined;
  readonly setCookie: (name: string, value: string, maxAgeSeconds: number) => void;
}

/** Resolves with the URL to redirect to. */
export type Navigation<Names extends PortName = never> = (visit: Visit, context: With<Names>) => Promise<string>;

/** The URL of the dashboard page to which the browser is sent after a failure. */
export type UrlAfterFailure<Names extends PortName> = (visit: Visit, context: With<Names>, path: string) => string;

/** The URL after a failed log-in of an operator, who is sent to the operators' pages instead of the dashboard. */
export const deskAfterFailure: UrlAfterFailure<never> = (_visit, { settings }) =>
  `${settings.dashboardUrl}${withProblem(operatorPages.home, 'failed')}`;

/** The text that a cookie encodes; undefined if it is malformed. */
export const decodedCookie = (value: string | undefined): string | undefined => {
  try {
    return value && decodeURIComponent(value);
  } catch {
    return undefined;
  }
};

const pageOfPath: UrlAfterFailure<never> = (_visit, { settings }, path) => `${settings.dashboardUrl}${path}`;

export const navigationLambda = <Names extends PortName = never>(
  name: string,
  navigate: Navigation<Names>,
  ports?: PortFactories<Names>,
  urlAfterFailure: UrlAfterFailure<Names> = pageOfPath,
) =>
  httpLambda(
    {
      name,
      authenticate: anonymous,
      handle: async (exchange, _actor, context: With<Names>) => {
        const { event, cookies } = exchange;
        const { settings } = context;
        // A stage without a dashboard responds as if the route did not exist.
        if (settings.dashboardUrl === 'none') throw new Rejection('not-found');
        const visit: Visit = {
          exchange,
          param: (parameter) => event.pathParameters?.[parameter],
          query: (parameter) => {
            const [value, ...more] = event.multiValueQueryStringParameters?.[parameter] ?? [];
            return more.length === 0 ? value : undefined;
          },
          cookie: (cookieName) => readCookie(event, cookieName, settings),
          setCookie: (...given) => {
            cookies.push(cookie(...given, settings));
          },
        };
        const Location = await navigate(visit, context).catch((error: unknown) => {
          logFailure(exchange, context.logger, error);
          exchange.code = 'INTERNAL_ERROR';
          return urlAfterFailure(visit, context, withProblem(homePath, 'failed'));
        });
        return { status: 302, body: '', headers: { Location } };
      },
    },
    ports,
  );
