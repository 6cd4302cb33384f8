/** How the operators' pages show an act. */
import { timestamp } from '../../platform/clock.ts';
import type { ActEntry } from '../operators/act-log.ts';

export const presentAct = (entry: ActEntry) => ({
  actId: entry.actId,
  at: timestamp(entry.at),
  act: entry.act,
  operator: entry.operatorName,
  role: entry.role,
  reason: entry.reason,
  requestId: entry.requestId ?? null,
  of: entry.of ?? null,
  subject: entry.subject,
  state: entry.state,
  code: entry.code ?? null,
  before: entry.before ?? null,
  after: entry.after ?? null,
  isShortened: entry.isShortened ?? false,
});
