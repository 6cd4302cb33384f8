/** The commands for API tokens. */

import { tokenNameLimit } from '../../shared/contracts/limits.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { issueToken } from '../../shared/domain/tokens/issue-token.ts';
import { type ListedToken, tokenStore } from '../../shared/domain/tokens/token-store.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { accountId } from './account-commands.ts';
import { type Command, command, flag, optional, required } from './command.ts';
import { commandFailed } from './exit-error.ts';
import { findAccount } from './find-account.ts';
import { futureTime, idOf, monthlyCap, monthlyCapOrNone, scopeList, textOf } from './value-kinds.ts';

const tokenId = idOf('TOKEN', 'as shown by "token list", not the token itself');

const timeOrNull = (milliseconds: number | undefined): string | null =>
  milliseconds === undefined ? null : timestamp(milliseconds);

const summaryOf = ({ tokenId, name, mode = 'live', scopes, ...token }: ListedToken) => ({
  tokenId,
  name,
  mode,
  scopes,
  expires: timeOrNull(token.expiresAt),
  revoked: timeOrNull(token.revokedAt),
  lastUsed: timeOrNull(token.lastUsedAt),
  cap: token.monthlyCreditCap ?? null,
});

const create = command({
  name: 'create',
  summary: 'Create a token and print it with its webhook token; they are shown only once.',
  options: {
    account: required(accountId, 'The account that owns the token.'),
    name: required(textOf('NAME', 1, tokenNameLimit), 'A name that says what the token is used for.'),
    scopes: required(scopeList, 'The scopes of the token.'),
    expires: optional(futureTime, 'When the token expires; never by default.'),
    cap: optional(monthlyCap, 'How many credits its tasks may cost in a calendar month (UTC); no cap by default.'),
    test: flag('Create a test token, whose tasks have canned results and cost test credits.'),
  },
  async run({ account, name, scopes, expires, cap, test }, service) {
    await findAccount(service, account);
    const expiry = expires !== undefined && { expiresAt: expires };
    const { token, tokenId, webhookToken } = await issueToken(service, {
      accountId: account,
      name,
      scopes,
      ...(test && { mode: 'test' }),
      ...expiry,
      ...(cap !== undefined && { monthlyCreditCap: cap }),
    });
    return { token, tokenId, webhookToken };
  },
});

const list = command({
  name: 'list',
  summary:
    "List an account's tokens, newest first, without their secrets: the active ones and the newest of the others.",
  options: { account: required(accountId, 'The account.') },
  async run({ account }, service) {
    await findAccount(service, account);
    const found = await tokenStore(service.table).list(account);
    return { tokens: readable(service.table, { kind: 'token', idOf: ({ tokenId }) => tokenId }, found, summaryOf) };
  },
  rows: ({ tokens }) => tokens,
  whenEmpty: 'The account has no tokens.',
});

/** @throws {ExitError} */
const missing = (account: string, token: string) =>
  commandFailed(`Account ${account} has no token ${token}: "token list" shows all of them.`);

const setCap = command({
  name: 'set-cap',
  summary: 'Set or remove the monthly cap of a token; what it spent this month is still counted.',
  options: {
    account: required(accountId, 'The account that owns the token.'),
    token: required(tokenId, 'The token.'),
    cap: required(monthlyCapOrNone, 'How many credits its tasks may cost in a calendar month (UTC), or none.'),
  },
  async run({ account, token, cap }, service) {
    await findAccount(service, account);
    const monthlyCreditCap = cap === 'none' ? null : cap;
    const change = await tokenStore(service.table).setCap(account, token, monthlyCreditCap ?? undefined);
    if (change !== 'set') throw missing(account, token);
    return { tokenId: token, monthlyCreditCap };
  },
});

const revoke = command({
  name: 'revoke',
  summary: 'Revoke a token; its next request is rejected.',
  options: {
    account: required(accountId, 'The account that owns the token.'),
    token: required(tokenId, 'The token.'),
  },
  async run({ account, token }, service) {
    await findAccount(service, account);
    if (!(await tokenStore(service.table).revoke(account, token, service.clock.now()))) {
      throw missing(account, token);
    }
    return { tokenId: token, revoked: true };
  },
});

export const tokenCommands: readonly Command[] = [create, list, setCap, revoke];
