/** Operations on the session of the operator who sends the request. */
import * as z from 'zod';
import { id, idOf, serviceUrl, shortText, timestamp } from './fields.ts';
import { openSessionsLimit } from './limits.ts';
import { once } from './once.ts';
import type { OperateContract } from './operation.ts';
import { operatorRoles } from './operator-roles.ts';

const OperatorSession = once(() =>
  z
    .object({
      operatorId: shortText(255).describe('The id of the operator at the identity provider.'),
      email: shortText(320).describe('The e-mail address of the operator.'),
      role: z.enum(operatorRoles).describe('What the operator may do.'),
      sessionId: id().describe('The id of the session.'),
      endsAt: timestamp().describe('When the session ends, unless it is not used for too long before.'),
      dashboardUrl: serviceUrl().describe("The URL of the account owners' dashboard."),
    })
    .meta({ id: 'OperatorSession' }),
);

const ListedOperatorSession = once(() =>
  z
    .object({
      sessionId: id().describe('The id of the session.'),
      userAgent: shortText(300).describe('How the browser described itself when it logged in; may be empty.'),
      createdAt: timestamp().describe('When the operator logged in.'),
      lastSeenAt: timestamp().describe('When the last request was made.'),
      endsAt: timestamp().describe('When the session ends, unless it is not used for too long before.'),
      isCurrent: z.boolean().describe('Whether it is the session that asks.'),
    })
    .meta({ id: 'ListedOperatorSession' }),
);

const OperatorSessions = once(() =>
  z
    .object({ sessions: z.array(ListedOperatorSession()).max(openSessionsLimit).describe('Newest first.') })
    .meta({ id: 'OperatorSessions' }),
);

const EndedSession = once(() =>
  z.object({ sessionId: id().describe('The id of the session that has ended.') }).meta({ id: 'EndedOperatorSession' }),
);

const EndedSessions = once(() =>
  z
    .object({ sessionsEnded: z.int().min(0).describe('How many sessions had not ended yet.') })
    .meta({ id: 'EndedOperatorSessions' }),
);

const sessionParams = once(() => z.object({ sessionId: idOf('session') }));

const LeftDesk = once(() =>
  z
    .object({ logoutUrl: serviceUrl().describe('Where the browser goes next, to be logged out at the provider too.') })
    .meta({ id: 'LeftDesk' }),
);

const EndedView = once(() =>
  z
    .object({ hadView: z.boolean().describe('Whether the session had a view that was open.') })
    .meta({ id: 'EndedView' }),
);

const exampleId = '0193a5c4-7d2e-7b1a-9c3d-2f4e6a8b0c1d';

export const operateSessionContracts = {
  getOperator: {
    operationId: 'getOperator',
    method: 'GET',
    path: '/operate/api/session',
    idempotent: false,
    operator: 'viewer',
    summary: 'Get the session of the operator',
    description: 'The operator who asks, and what they may do.',
    success: {
      status: 200,
      get data() {
        return OperatorSession();
      },
    },
    errors: [],
    example: {
      data: {
        operatorId: '0193a5c4-7d2e-7b1a-9c3d-2f4e6a8b0c1d',
        email: 'ana@example.com',
        role: 'support',
        sessionId: '0193a5c4-7d2e-7b1a-9c3d-2f4e6a8b0c1d',
        endsAt: '2026-11-22T00:00:00.000Z',
        dashboardUrl: 'https://dashboard.example.com',
      },
    },
  },
  listOperatorSessions: {
    operationId: 'listOperatorSessions',
    method: 'GET',
    path: '/operate/api/sessions',
    idempotent: false,
    operator: 'viewer',
    summary: 'List the sessions of the operator',
    description: `The sessions of the operator who asks that have not ended, newest first. Only the last ${openSessionsLimit} log-ins have one: a further log-in ends the oldest.`,
    success: {
      status: 200,
      rows: 'sessions',
      get data() {
        return OperatorSessions();
      },
    },
    errors: [],
    example: {
      data: {
        sessions: [
          {
            sessionId: exampleId,
            userAgent: 'Mozilla/5.0',
            createdAt: '2026-11-21T16:00:00.000Z',
            lastSeenAt: '2026-11-21T16:01:00.000Z',
            endsAt: '2026-11-22T00:00:00.000Z',
            isCurrent: true,
          },
        ],
      },
    },
  },
  endOwnSession: {
    operationId: 'endOwnSession',
    method: 'DELETE',
    path: '/operate/api/sessions/{sessionId}',
    idempotent: false,
    operator: 'viewer',
    summary: 'End a session of the operator',
    description:
      'Its next request is rejected, and its view ends. A session of another operator, or that has already ended, is reported as not found.',
    get params() {
      return sessionParams();
    },
    success: {
      status: 200,
      get data() {
        return EndedSession();
      },
    },
    errors: ['NOT_FOUND'],
    example: { params: { sessionId: exampleId }, data: { sessionId: exampleId } },
  },
  endOtherSessions: {
    operationId: 'endOtherSessions',
    method: 'DELETE',
    path: '/operate/api/sessions',
    idempotent: false,
    operator: 'viewer',
    summary: 'End all other sessions of the operator',
    description: 'Ends the sessions of the operator who asks, except the one that asks, and their views.',
    success: {
      status: 200,
      get data() {
        return EndedSessions();
      },
    },
    errors: [],
    example: { data: { sessionsEnded: 1 } },
  },
  endView: {
    operationId: 'endView',
    method: 'DELETE',
    path: '/operate/api/view',
    idempotent: false,
    operator: 'viewer',
    summary: 'Stop seeing an account as its owner does',
    description:
      'Ends the view that the session has begun with the act `seeAsCustomer`. Views also end after 15 minutes, with the session, and when another one begins.',
    success: {
      status: 200,
      get data() {
        return EndedView();
      },
    },
    errors: [],
    example: { data: { hadView: true } },
  },
  logOutOperator: {
    operationId: 'logOutOperator',
    method: 'POST',
    path: '/operate/api/logout',
    idempotent: false,
    operator: 'viewer',
    summary: 'Log out',
    description: 'Ends the session that asks. Takes no body.',
    success: {
      status: 200,
      get data() {
        return LeftDesk();
      },
    },
    errors: [],
    example: { data: { logoutUrl: 'https://login.example.com/logout' } },
  },
} as const satisfies Record<string, OperateContract>;
