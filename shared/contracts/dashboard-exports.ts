/** Dashboard operations by which owners download everything about their account. */
import * as z from 'zod';
import { Confirmation, confirmation } from './dashboard-confirmation.ts';
import { integer, serviceUrl, timestamp } from './fields.ts';
import { exportBytesLimit, exportHours, exportsPerDay, linksPerExport } from './limits.ts';
import { once } from './once.ts';
import type { DashboardContract } from './operation.ts';

const count = () => integer(0, Number.MAX_SAFE_INTEGER);

const AccountExport = once(() =>
  z
    .object({
      state: z
        .enum(['none', 'making', 'ready', 'failed', 'expired'])
        .describe('`none` before the first request; `ready` while the archive can be downloaded.'),
      requestedAt: timestamp().nullable().describe('When it was requested; null before the first request.'),
      rows: count().describe('How many entries its documents have so far.'),
      files: count().describe('How many files it has so far.'),
      bytes: count().describe('How many bytes its files have so far; once it is ready, the size of the archive.'),
      filesLeftOut: count().describe('How many files it lacks; the archive names them and says why.'),
      availableUntil: timestamp().nullable().describe('Until when the archive can be downloaded; null before.'),
    })
    .meta({ id: 'AccountExport' }),
);

const ExportLink = once(() =>
  z
    .object({
      url: serviceUrl().describe('Where the archive can be downloaded, without further authentication.'),
      expiresAt: timestamp().describe('When the link expires; a download that has begun continues.'),
    })
    .meta({ id: 'ExportLink' }),
);

const example = {
  state: 'making',
  requestedAt: '2026-11-21T12:00:00.000Z',
  rows: 0,
  files: 0,
  bytes: 0,
  filesLeftOut: 0,
  availableUntil: null,
} as const;

export const dashboardExportContracts = {
  getExport: {
    operationId: 'getExport',
    method: 'GET',
    path: '/account/api/export',
    isHiddenFromViews: true,
    idempotent: false,
    summary: 'Get the export of the account',
    description: 'How far the archive is that was requested last.',
    success: {
      status: 200,
      get data() {
        return AccountExport();
      },
    },
    errors: [],
    example: { data: example },
  },
  requestExport: {
    operationId: 'requestExport',
    method: 'POST',
    path: '/account/api/export',
    idempotent: false,
    summary: 'Request an export of the account',
    description: `The archive is a ZIP file with everything about the account: JSON documents of its profile, ledger, tasks with their texts, orders, sessions, pages and messages, and its results and uploads. It never contains a token, a password or another secret. It is made in the background and can be downloaded for ${exportHours} hours; then it is deleted. An archive that is being made is not begun again: the response is the same. A new one replaces the last one. It has at most ${exportBytesLimit / 2 ** 30} GB of files, and names those that it lacks. An account may request ${exportsPerDay} on a day (UTC).

Needs ${confirmation}`,
    get body() {
      return Confirmation();
    },
    success: {
      status: 202,
      get data() {
        return AccountExport();
      },
    },
    errors: ['CONFIRMATION_REQUIRED', 'WRONG_PASSWORD', 'NOT_FOUND'],
    example: { body: {}, data: example },
  },
  openExport: {
    operationId: 'openExport',
    method: 'POST',
    path: '/account/api/export/link',
    idempotent: false,
    summary: 'Get a link to the archive of the account',
    description: `The link lasts for minutes, in which whoever has it can use it again, so that a download that breaks off can be continued; a new one can be had while the archive is available, at most ${linksPerExport} for each archive: after that the response is 429. If there is no archive, the response is 404.

Needs ${confirmation}`,
    get body() {
      return Confirmation();
    },
    success: {
      status: 200,
      get data() {
        return ExportLink();
      },
    },
    errors: ['CONFIRMATION_REQUIRED', 'WRONG_PASSWORD', 'NOT_FOUND'],
    example: {
      body: {},
      data: {
        url: 'https://s3.us-east-1.amazonaws.com/inputs/exports/account-2026-11-21.zip',
        expiresAt: '2026-11-21T12:10:00.000Z',
      },
    },
  },
} as const satisfies Record<string, DashboardContract>;
