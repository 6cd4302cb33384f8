/** Operations on the session of the operator who sends the request. */
import * as z from 'zod';
import { id, serviceUrl, shortText, timestamp } from './fields.ts';
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
