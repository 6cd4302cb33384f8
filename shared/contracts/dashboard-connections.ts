/** Dashboard operations on the pages of social networks that the account has connected. */
import * as z from 'zod';
import { channels, connectionStates } from './channels.ts';
import { shortText, text, timestamp } from './fields.ts';
import { once } from './once.ts';
import type { DashboardContract } from './operation.ts';
import { channel } from './piloto.ts';

/** Why the last synchronization of a page failed; it is retried. */
export const syncFaults = ['throttled', 'unavailable', 'incomplete', 'failed'] as const;

const ConnectedPage = once(() =>
  z.object({
    name: shortText().describe("The page's name."),
    username: shortText().nullable().describe("The page's name in addresses; null if it has none."),
    state: z
      .enum(connectionStates)
      .describe('`revoked` if the network no longer accepts the access; `erasing` while its inbox is being erased.'),
    connectedAt: timestamp().describe('When the page was connected.'),
    syncedAt: timestamp().nullable().describe('When the last complete synchronization began; null before the first.'),
    progress: z
      .object({
        found: z.int().min(0).describe('The conversations and posts that the network has listed so far.'),
        synchronized: z.int().min(0).describe('Those of them that are copied.'),
      })
      .nullable()
      .describe('How far the running synchronization is; null if none is running.'),
    fault: z.enum(syncFaults).nullable().describe('Why the last synchronization failed; null after a success.'),
  }),
);

const PageChoice = once(() =>
  z.object({
    pages: z
      .array(z.object({ pageId: shortText().describe("The network's id."), name: shortText().describe('Its name.') }))
      .max(100)
      .describe('The pages that the owner granted in this session.'),
    until: timestamp().describe('When the choice is forgotten.'),
  }),
);

const ConnectionList = once(() =>
  z
    .object({
      isInPlan: z.boolean().describe("Whether the account's plan includes the inbox."),
      channels: z
        .array(
          z.object({
            channel: channel(),
            isOffered: z
              .boolean()
              .describe('Whether the service has an app at the network, so that pages can be connected.'),
            page: ConnectedPage().nullable().describe('The page that is connected; null if there is none.'),
            choice: PageChoice()
              .nullable()
              .describe('Several granted pages, of which one is to be chosen; null if there are none.'),
          }),
        )
        .max(channels.length)
        .describe('One for each network.'),
    })
    .meta({ id: 'ConnectionList' }),
);

export type ListedConnection = z.input<ReturnType<typeof ConnectionList>>['channels'][number];

const ChannelName = once(() => z.object({ channel: channel() }));

const params = once(() => z.object({ channel: z.enum(channels, { error: `must be one of ${channels.join(', ')}` }) }));

const PageToConnect = once(() =>
  z.object({ pageId: text(1, 100).describe('One of the pages that the owner granted.') }),
);

const path = '/account/api/connections/{channel}';

export const dashboardConnectionContracts = {
  listConnections: {
    operationId: 'listConnections',
    method: 'GET',
    path: '/account/api/connections',
    idempotent: false,
    summary: 'List the connected pages of the account',
    description: 'For each network the page that is connected, or whether one can be.',
    success: {
      status: 200,
      get data() {
        return ConnectionList();
      },
    },
    errors: [],
    example: {
      data: {
        isInPlan: true,
        channels: [
          {
            channel: 'instagram',
            isOffered: true,
            page: {
              name: 'Ateliê',
              username: 'atelie',
              state: 'connected',
              connectedAt: '2026-11-21T12:00:00.000Z',
              syncedAt: null,
              progress: { found: 40, synchronized: 12 },
              fault: null,
            },
            choice: null,
          },
          {
            channel: 'facebook',
            isOffered: true,
            page: null,
            choice: { pages: [{ pageId: '1', name: 'Ateliê' }], until: '2026-11-21T12:10:00.000Z' },
          },
        ],
      },
    },
  },
  chooseConnection: {
    operationId: 'chooseConnection',
    method: 'POST',
    path,
    idempotent: false,
    feature: 'piloto',
    summary: 'Connect one of several granted pages',
    description:
      'Finishes a connection for which the owner granted several pages. The choice expires ten minutes after the grant; then the response is 404.',
    get params() {
      return params();
    },
    get body() {
      return PageToConnect();
    },
    success: {
      status: 200,
      get data() {
        return ChannelName();
      },
    },
    errors: [
      'NOT_FOUND',
      'CONNECTION_ERASING',
      'OTHER_PAGE_CONNECTED',
      'PAGE_OF_OTHER_ACCOUNT',
      'CONNECTION_CHANGING',
      'ACCESS_REJECTED',
      'PROVIDER_UNAVAILABLE',
    ],
    example: { params: { channel: 'facebook' }, body: { pageId: '1' }, data: { channel: 'facebook' } },
  },
  removeConnection: {
    operationId: 'removeConnection',
    method: 'DELETE',
    path,
    idempotent: false,
    summary: 'Disconnect a page',
    description:
      'Forgets the page and the access to it at once; the copy of its inbox is erased within minutes. Requires no feature, so that a page can be disconnected under every plan.',
    get params() {
      return params();
    },
    success: {
      status: 200,
      get data() {
        return ChannelName();
      },
    },
    errors: ['NOT_FOUND', 'CONNECTION_CHANGING'],
    example: { params: { channel: 'facebook' }, data: { channel: 'facebook' } },
  },
} as const satisfies Record<string, DashboardContract>;
