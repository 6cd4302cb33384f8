/** The commands for API tokens. */

import { tokenNameLimit } from '../../shared/contracts/limits.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { findSpending, monthAt } from '../../shared/domain/tokens/spending.ts';
import { type ListedToken, tokenStore } from '../../shared/domain/tokens/token-store.ts';
import { accountId } from './account-kind.ts';
import { actCommand } from './act-command.ts';
import { type Command, command, flag, optional, required } from './command.ts';
import { findAccount } from './find-account.ts';
import { timeOrNull } from './time-or-null.ts';
import { futureTime, idOf, monthlyCap, monthlyCapOrNone, scopeList, textOf } from './value-kinds.ts';

const tokenId = idOf('TOKEN', 'as shown by "token list", not the token itself');

const summaryOf = ({ tokenId, name, mode = 'live', scopes, ...token }: ListedToken, spent: number | undefined) => ({
  tokenId,
  name,
  mode,
  scopes,
  expires: timeOrNull(token.expiresAt),
  revoked: timeOrNull(token.revokedAt),
  lastUsed: timeOrNull(token.lastUsedAt),
  cap: token.monthlyCreditCap ?? null,
  spentThisMonth: spent ?? null,
});

const create = actCommand(acts.createToken, {
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
  async run({ account, name, scopes, expires, cap, test }, { connect, perform }) {
    const service = await connect();
    const {
      token,
      tokenId: id,
      webhookToken,
    } = await perform(service, service, {
      account,
      name,
      scopes: [...scopes],
      expires,
      cap,
      test,
    });
    return { token, tokenId: id, webhookToken };
  },
});

const list = command({
  name: 'list',
  summary:
    "List an account's tokens, newest first, without their secrets: the active ones and the newest of the others; of those with a monthly cap, what they spent this month (UTC).",
  options: { account: required(accountId, 'The account.') },
  async run({ account }, service) {
    await findAccount(service, account);
    const found = await tokenStore(service.table).list(account);
    const capped = found.flatMap(({ tokenId: id, monthlyCreditCap }) => (monthlyCreditCap === undefined ? [] : [id]));
    const spent = await findSpending(service.table, capped, monthAt(service.clock.now()));
    const kind = { kind: 'token', idOf: ({ tokenId: id }: ListedToken) => id };
    return { tokens: readable(service.table, kind, found, (token) => summaryOf(token, spent.get(token.tokenId))) };
  },
  rows: ({ tokens }) => tokens,
  whenEmpty: 'The account has no tokens.',
});

const setCap = actCommand(acts.setTokenCap, {
  name: 'set-cap',
  summary: 'Set or remove the monthly cap of a token; what it spent this month is still counted.',
  options: {
    account: required(accountId, 'The account that owns the token.'),
    token: required(tokenId, 'The token.'),
    cap: required(monthlyCapOrNone, 'How many credits its tasks may cost in a calendar month (UTC), or none.'),
  },
  async run({ account, token, cap }, { connect, perform }) {
    const service = await connect();
    return perform(service, service, { account, token, cap: cap === 'none' ? null : cap });
  },
});

const revoke = actCommand(acts.revokeToken, {
  name: 'revoke',
  summary: 'Revoke a token; its next request is rejected.',
  options: {
    account: required(accountId, 'The account that owns the token.'),
    token: required(tokenId, 'The token.'),
  },
  async run({ account, token }, { connect, perform }) {
    const service = await connect();
    return perform(service, service, { account, token });
  },
});

export const tokenCommands: readonly Command[] = [create, list, setCap, revoke];
