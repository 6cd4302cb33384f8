/** Dashboard operations on sessions: list them, and end one or all. */
import * as z from 'zod';
import { Closure } from './dashboard-closure.ts';
import { features } from './features.ts';
import { id, idOf, serviceUrl, shortText, timestamp } from './fields.ts';
import { identityKinds } from './identity-kinds.ts';
import { openSessionsLimit } from './limits.ts';
import { once } from './once.ts';
import type { DashboardContract } from './operation.ts';

const CurrentSession = once(() =>
  z
    .object({
      sessionId: id().describe('The id of the session.'),
      accountId: id().describe('The id of the account.'),
      name: shortText().describe("The name of the account's owner."),
      email: shortText(320).describe("The e-mail address of the account's owner."),
      kind: z.enum(identityKinds).describe('Whether the owner logs in with a password or through another provider.'),
      provider: shortText().describe('The provider that the owner logged in through; `password` for passwords.'),
      confirmedUntil: timestamp()
        .nullable()
        .describe(
          'For social accounts: until when the last log-in through the provider counts as a recent confirmation. Null for password accounts, which confirm with their password.',
        ),
      expiresAt: timestamp().describe('When the session ends.'),
      isView: z
        .boolean()
        .describe('Whether it is an operator’s view of the account, which can only read, and has no provider.'),
      features: z.array(z.enum(features)).max(features.length).describe("What the account's plan includes."),
      closure: Closure()
        .nullable()
        .describe('Null unless the account is closed: then the session can do nothing but open it again and log out.'),
      apiUrl: serviceUrl().describe('The base URL of the API, for what back ends call.'),
      pixSandboxUrl: serviceUrl().nullable().describe('Where PIX codes are paid on a local service; null elsewhere.'),
    })
    .meta({ id: 'CurrentSession' }),
);

const ListedSession = once(() =>
  z
    .object({
      sessionId: id().describe('The id of the session.'),
      provider: shortText().describe('The provider that the owner logged in through; `password` for passwords.'),
      userAgent: shortText(300).describe('How the browser described itself when it logged in; may be empty.'),
      createdAt: timestamp().describe('When the owner logged in or confirmed the log-in.'),
      lastSeenAt: timestamp().describe('When the last request was made.'),
      expiresAt: timestamp().describe('When the session ends.'),
      isCurrent: z.boolean().describe('Whether it is the session that asks.'),
    })
    .meta({ id: 'ListedSession' }),
);

const SessionList = once(() =>
  z
    .object({ sessions: z.array(ListedSession()).max(openSessionsLimit).describe('Newest first.') })
    .meta({ id: 'SessionList' }),
);

const LoggedOut = once(() =>
  z
    .object({ logoutUrl: serviceUrl().describe('Where the browser goes next, to be logged out at the provider too.') })
    .meta({ id: 'LoggedOut' }),
);

const RevokedSession = once(() =>
  z.object({ sessionId: id().describe('The id of the session that has ended.') }).meta({ id: 'RevokedSession' }),
);

const params = once(() => z.object({ sessionId: idOf('session') }));

const exampleId = '0193a5c4-7d2e-7b1a-9c3d-2f4e6a8b0c1d';

export const dashboardSessionContracts = {
  getSession: {
    operationId: 'getSession',
    method: 'GET',
    path: '/account/api/session',
    idempotent: false,
    isForClosed: true,
    summary: 'Get the session',
    description: 'The session that asks, and the account that it is of.',
    success: {
      status: 200,
      get data() {
        return CurrentSession();
      },
    },
    errors: [],
    example: {
      data: {
        sessionId: exampleId,
        accountId: exampleId,
        name: 'Ana',
        email: 'ana@example.com',
        kind: 'social',
        provider: 'Google',
        confirmedUntil: '2026-11-21T12:10:00.000Z',
        expiresAt: '2026-11-22T00:00:00.000Z',
        isView: false,
        features: ['studio'],
        closure: null,
        apiUrl: 'https://api.example.com',
        pixSandboxUrl: null,
      },
    },
  },
  listSessions: {
    operationId: 'listSessions',
    method: 'GET',
    path: '/account/api/sessions',
    idempotent: false,
    summary: 'List the sessions of the account',
    description: `The sessions that have not ended, newest first. Only the last ${openSessionsLimit} log-ins have one: a further log-in ends the oldest.`,
    success: {
      status: 200,
      rows: 'sessions',
      get data() {
        return SessionList();
      },
    },
    errors: [],
    example: {
      data: {
        sessions: [
          {
            sessionId: exampleId,
            provider: 'Google',
            userAgent: 'Mozilla/5.0',
            createdAt: '2026-11-21T12:00:00.000Z',
            lastSeenAt: '2026-11-21T12:01:00.000Z',
            expiresAt: '2026-11-22T00:00:00.000Z',
            isCurrent: true,
          },
        ],
      },
    },
  },
  revokeSession: {
    operationId: 'revokeSession',
    method: 'DELETE',
    path: '/account/api/sessions/{sessionId}',
    idempotent: false,
    summary: 'End a session of the account',
    description: 'Its next request is rejected. A session that has already ended is reported as not found.',
    get params() {
      return params();
    },
    success: {
      status: 200,
      get data() {
        return RevokedSession();
      },
    },
    errors: ['NOT_FOUND'],
    example: { params: { sessionId: exampleId }, data: { sessionId: exampleId } },
  },
  logOut: {
    operationId: 'logOut',
    method: 'POST',
    path: '/account/api/logout',
    idempotent: false,
    isForClosed: true,
    summary: 'Log out',
    description: 'Ends the session that asks. Takes no body.',
    success: {
      status: 200,
      get data() {
        return LoggedOut();
      },
    },
    errors: [],
    example: { data: { logoutUrl: 'https://login.example.com/logout' } },
  },
} as const satisfies Record<string, DashboardContract>;
