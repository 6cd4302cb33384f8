/**
 * All acts of operators by name: the verbs of the command line and of the operators' pages come from this list alone.
 */
import {
  addNote,
  createAccount,
  endSessions,
  inviteOwner,
  liftLimitsOfAccount,
  reconcileDrift,
  setRetentionOfAccount,
} from './account-acts.ts';
import type { AnyAct } from './act.ts';
import { advanceSubscription, cancelOrder, cancelSubscription, resolveCase, settleOrder } from './billing-acts.ts';
import { changeCatalog, resetCatalog, setPrice, switchOperation, undoCatalog, useRoutes } from './catalog-acts.ts';
import {
  closeAccountOfOwner,
  eraseAccount,
  eraseDueAccounts,
  reopenAccountOfOwner,
  repeatErasures,
} from './closure-acts.ts';
import { addConnection, removeConnection, syncConnection } from './connection-acts.ts';
import { approveGrant, declineGrant, fillTestCredits, grantCredits } from './credit-acts.ts';
import { exportAccount, linkExport } from './export-acts.ts';
import { endOperatorSessions } from './operator-acts.ts';
import { redriveDeadLetters } from './queue-acts.ts';
import {
  certifyContentKey,
  indexTable,
  installContentCertificates,
  previewVoices,
  rotateWebhookKey,
  setEngineKey,
} from './stage-acts.ts';
import { failTask, redeliverWebhook } from './task-acts.ts';
import { createToken, revokeToken, setTokenCap } from './token-acts.ts';
import { seeAsCustomer } from './view-acts.ts';

export const acts = {
  createAccount,
  inviteOwner,
  liftLimits: liftLimitsOfAccount,
  setRetention: setRetentionOfAccount,
  reconcileAccount: reconcileDrift,
  endSessions,
  addNote,
  seeAsCustomer,
  closeAccount: closeAccountOfOwner,
  reopenAccount: reopenAccountOfOwner,
  eraseAccount,
  eraseDueAccounts,
  repeatErasures,
  exportAccount,
  linkExport,
  createToken,
  setTokenCap,
  revokeToken,
  grantCredits,
  approveGrant,
  declineGrant,
  fillTestCredits,
  settleOrder,
  cancelOrder,
  cancelSubscription,
  advanceSubscription,
  resolveCase,
  changeCatalog,
  resetCatalog,
  undoCatalog,
  switchOperation,
  useRoutes,
  setPrice,
  addConnection,
  syncConnection,
  removeConnection,
  failTask,
  redeliverWebhook,
  redriveDeadLetters,
  endOperatorSessions,
  setEngineKey,
  certifyContentKey,
  installContentCertificates,
  rotateWebhookKey,
  indexTable,
  previewVoices,
} as const satisfies Readonly<Record<string, AnyAct>>;
