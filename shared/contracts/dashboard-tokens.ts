/** Dashboard operations on the account's tokens. */
import * as z from 'zod';
import { confirmation, password } from './dashboard-confirmation.ts';
import { credits, id, idOf, integer, isUnique, listOf, oneOf, shortText, text, timestamp } from './fields.ts';
import {
  activeTokensLimit,
  monthlyCapLimit,
  testPurseCredits,
  tokenNameBytes,
  tokenNameLimit,
  tokenYearsLimit,
} from './limits.ts';
import { once } from './once.ts';
import type { DashboardContract } from './operation.ts';
import { scopes } from './scopes.ts';
import { tokenModes } from './token-modes.ts';

const cap = () => integer(1, monthlyCapLimit);

const described = () => ({
  tokenId: id().describe('The id of the token, which is not the token itself.'),
  name: shortText(tokenNameLimit).describe('What its owner calls the token.'),
  mode: z.enum(tokenModes).describe('Whether its tasks are made for real, or are tests with canned results.'),
  scopes: z.array(z.enum(scopes)).describe('What the token may be used for.'),
  createdAt: timestamp().describe('When the token was created.'),
  expiresAt: timestamp().nullable().describe('When the token expires; null if it never does.'),
  monthlyCreditCap: cap()
    .nullable()
    .describe('How many credits the tasks of a calendar month (UTC) may cost; null if there is no cap.'),
});

const ListedToken = once(() =>
  z
    .object({
      ...described(),
      lastUsedAt: timestamp().nullable().describe('When its last request was admitted; null if it made none.'),
      creditsSpentThisMonth: credits()
        .nullable()
        .describe('What counts toward the cap of this month (UTC); null if there is no cap.'),
      status: z.enum(['active', 'expired', 'revoked']).describe('Only active tokens are accepted.'),
    })
    .meta({ id: 'ListedToken' }),
);

const TokenList = once(() =>
  z
    .object({
      tokens: z
        .array(ListedToken())
        .describe('Newest first: all that are active, and of the others those among the newest hundred.'),
      activeLimit: z.int().min(1).describe('How many tokens may be active at the same time.'),
      testCredits: credits().nullable().describe('What test mode can spend now; null before its first use.'),
    })
    .meta({ id: 'TokenList' }),
);

const CreatedToken = once(() =>
  z
    .object({
      ...described(),
      token: shortText(67).describe('The token itself. It is shown only now and cannot be recovered.'),
      webhookToken: shortText(68).describe(
        'What `X-Webhook-Token` contains on webhooks of tasks that the token creates. It is shown only now.',
      ),
    })
    .meta({ id: 'CreatedToken' }),
);

const RevokedToken = once(() =>
  z.object({ tokenId: id().describe('The id of the token that is revoked.') }).meta({ id: 'RevokedToken' }),
);

const nameError = 'must have visible characters, and none that control the text or reverse its direction';
/** Line separators, control characters, and characters that reverse the direction of the text after them. */
const unsafeInName = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const expiryError = 'must be a time in ISO 8601 with a time zone, such as 2027-01-31T12:00:00Z';

const NewToken = once(() =>
  z.object({
    name: text(1, tokenNameLimit)
      .refine((value) => value.trim() !== '' && !unsafeInName.test(value), { error: nameError })
      .describe(`What the token is used for, in at most ${tokenNameBytes} bytes of UTF-8.`),
    mode: oneOf(tokenModes).default('live').describe('`test` for tasks with canned results that cost no real credits.'),
    scopes: listOf(oneOf(scopes), scopes.length, 1)
      .refine(isUnique, { error: 'must not contain a scope twice' })
      .describe('What the token may be used for.'),
    expiresAt: z.iso
      .datetime({ offset: true, error: expiryError })
      .optional()
      .describe(`When the token expires, at most ${tokenYearsLimit} years from now; never by default.`),
    monthlyCreditCap: cap()
      .optional()
      .describe('How many credits the tasks of a calendar month (UTC) may cost; no cap by default.'),
    password: password(),
  }),
);

const NewCap = once(() =>
  z.object({
    monthlyCreditCap: cap()
      .nullable()
      .describe('How many credits the tasks of a calendar month (UTC) may cost; null removes the cap.'),
    password: password(),
  }),
);

const CappedToken = once(() =>
  z
    .object({
      tokenId: id().describe('The id of the token.'),
      monthlyCreditCap: cap().nullable().describe('Its cap; null if it has none.'),
    })
    .meta({ id: 'CappedToken' }),
);

const FilledTestCredits = once(() =>
  z.object({ testCredits: credits().describe('What test mode can spend now.') }).meta({ id: 'FilledTestCredits' }),
);

const params = once(() => z.object({ tokenId: idOf('token') }));

const example = {
  tokenId: '0193a5c4-7d2e-7b1a-9c3d-2f4e6a8b0c1d',
  name: 'Shop back end',
  mode: 'live',
  scopes: ['generate:image', 'read:tasks'],
  createdAt: '2026-11-21T12:00:00.000Z',
  expiresAt: null,
  monthlyCreditCap: null,
} as const;

export const dashboardTokenContracts = {
  listTokens: {
    operationId: 'listTokens',
    method: 'GET',
    path: '/account/api/tokens',
    idempotent: false,
    summary: 'List the tokens of the account',
    description: 'Without their secrets, which are shown only when a token is created.',
    success: {
      status: 200,
      rows: 'tokens',
      get data() {
        return TokenList();
      },
    },
    errors: [],
    example: {
      data: {
        tokens: [{ ...example, lastUsedAt: '2026-11-21T12:05:00.000Z', creditsSpentThisMonth: null, status: 'active' }],
        activeLimit: activeTokensLimit,
        testCredits: null,
      },
    },
  },
  createToken: {
    operationId: 'createToken',
    method: 'POST',
    path: '/account/api/tokens',
    idempotent: false,
    summary: 'Create a token',
    description: `Needs ${confirmation}`,
    get body() {
      return NewToken();
    },
    success: {
      status: 201,
      get data() {
        return CreatedToken();
      },
    },
    errors: ['CONFIRMATION_REQUIRED', 'WRONG_PASSWORD', 'TOO_MANY_TOKENS'],
    example: {
      body: { name: example.name, scopes: example.scopes },
      data: { ...example, token: `av_${'0'.repeat(64)}`, webhookToken: `whk_${'0'.repeat(64)}` },
    },
  },
  setTokenCap: {
    operationId: 'setTokenCap',
    method: 'POST',
    path: '/account/api/tokens/{tokenId}/cap',
    idempotent: false,
    summary: 'Set the monthly cap of a token',
    description: `A request that would exceed the cap is rejected with 402 \`INSUFFICIENT_CREDITS\` and costs nothing. What failed tasks return gives room back in the month in which they were created. Only tasks that are created while the token has a cap are counted; a changed cap keeps the count.

Every change, to a lower cap too, needs ${confirmation}`,
    get params() {
      return params();
    },
    get body() {
      return NewCap();
    },
    success: {
      status: 200,
      get data() {
        return CappedToken();
      },
    },
    errors: ['CONFIRMATION_REQUIRED', 'WRONG_PASSWORD', 'NOT_FOUND'],
    example: {
      params: { tokenId: example.tokenId },
      body: { monthlyCreditCap: 500 },
      data: { tokenId: example.tokenId, monthlyCreditCap: 500 },
    },
  },
  fillTestCredits: {
    operationId: 'fillTestCredits',
    method: 'POST',
    path: '/account/api/test-credits',
    idempotent: false,
    repeatable: true,
    summary: 'Fill up the credits of test mode',
    description: `Test tokens and the playground get ${testPurseCredits} test credits at 00:00 UTC each day, and whenever this is called. The first call, or the first test token, opens the purse.`,
    success: {
      status: 200,
      get data() {
        return FilledTestCredits();
      },
    },
    errors: [],
    example: { data: { testCredits: testPurseCredits } },
  },
  revokeToken: {
    operationId: 'revokeToken',
    method: 'DELETE',
    path: '/account/api/tokens/{tokenId}',
    idempotent: false,
    summary: 'Revoke a token',
    description: 'The next request with the token is rejected. Revoking a token again changes nothing.',
    get params() {
      return params();
    },
    success: {
      status: 200,
      get data() {
        return RevokedToken();
      },
    },
    errors: ['NOT_FOUND'],
    example: { params: { tokenId: example.tokenId }, data: { tokenId: example.tokenId } },
  },
} as const satisfies Record<string, DashboardContract>;
