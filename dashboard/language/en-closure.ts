/** The texts about closing the account and opening it again, in English. */
import { daysBetweenReopenings } from '../../shared/contracts/limits.ts';

export const enClosure = {
  title: 'Close the account',
  hint: (days: string) =>
    `You can undo it for ${days} days, unless you have done so in the last ${daysBetweenReopenings} days. After that, everything is erased.`,
  start: 'Close the account…',
  dialogTitle: 'Close this account?',
  atOnce: 'At once: all tokens stop for good, and your other sessions end.',
  soon: 'Within minutes: open tasks are canceled and their credits returned; unpaid orders and subscriptions are canceled.',
  later: (days: string) =>
    `After ${days} days: texts, files, results, connected pages with their messages, and your log-in are erased, and the remaining credits are lost.`,
  kept: 'What stays, without your name: the history of credits, orders and payments, which tax law requires. Payment gateways keep their own records.',
  close: 'Close the account',
  closedTitle: 'Your account is closed',
  closedLead: (moment: string) =>
    `You can open it again until ${moment}. Then it is erased, and that cannot be undone.`,
  closedForGood: (moment: string) =>
    `It will be erased on ${moment}. Only the operator of the service can open it now: you opened it again in the last ${daysBetweenReopenings} days, or the operator has closed it as well.`,
  erasing: 'The time to open it again is over. The account is being erased.',
  reopen: 'Open the account again',
  reopenHint: 'Your tokens stay revoked, and what was canceled stays canceled: create new tokens afterwards.',
};
