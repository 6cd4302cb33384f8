/** The table of contents: which file implements which operation, route, step and schedule. */

import type { connectionRoutes } from '../shared/contracts/connecting.ts';
import type { DashboardOperationId } from '../shared/contracts/dashboard.ts';
import type { documentRoutes } from '../shared/contracts/documents.ts';
import type { inboundRoutes } from '../shared/contracts/inbound.ts';
import type { loginRoutes } from '../shared/contracts/login.ts';
import type { OperateOperationId } from '../shared/contracts/operate.ts';
import type { operatorLoginRoutes } from '../shared/contracts/operate-login.ts';
import type { OperationId } from '../shared/contracts/registry.ts';
import type { Definition } from '../shared/runtime/context.ts';
import type { HttpHandler } from '../shared/runtime/http-lambda.ts';
import type { QueueHandler } from '../shared/runtime/queue-lambda.ts';
import type { StepHandler } from '../shared/runtime/step-lambda.ts';
import { definition as getProfile } from './account/get-profile.ts';
import { definition as getUsage } from './account/get-usage.ts';
import { definition as listCreditHistory } from './account/list-credit-history.ts';
import { definition as auditLedger } from './background/audit-ledger.ts';
import { definition as deliverWebhook } from './background/deliver-webhook.ts';
import { definition as eraseClosedAccounts } from './background/erase-closed-accounts.ts';
import { definition as makeExports } from './background/make-exports.ts';
import { definition as processInboxMessage } from './background/process-inbox-message.ts';
import { definition as processPaymentEvent } from './background/process-payment-event.ts';
import { definition as reconcileOrders } from './background/reconcile-orders.ts';
import { definition as reconcileSubscriptions } from './background/reconcile-subscriptions.ts';
import { definition as scheduleInboxSyncs } from './background/schedule-inbox-syncs.ts';
import { definition as sweepTasks } from './background/sweep-tasks.ts';
import { definition as createCreditOrder } from './billing/create-credit-order.ts';
import { definition as createSubscription } from './billing/create-subscription.ts';
import { definition as getOrder } from './billing/get-order.ts';
import { definition as getSubscription } from './billing/get-subscription.ts';
import { definition as listOrders } from './billing/list-orders.ts';
import { definition as chooseConnection } from './dashboard/choose-connection.ts';
import { definition as closeAccount } from './dashboard/close-account.ts';
import { definition as completeConnection } from './dashboard/complete-connection.ts';
import { definition as completeLogin } from './dashboard/complete-login.ts';
import { definition as createToken } from './dashboard/create-token.ts';
import { definition as fillTestCredits } from './dashboard/fill-test-credits.ts';
import { definition as getExport } from './dashboard/get-export.ts';
import { definition as getRetention } from './dashboard/get-retention.ts';
import { definition as getSession } from './dashboard/get-session.ts';
import { definition as listConnections } from './dashboard/list-connections.ts';
import { definition as listDeliveries } from './dashboard/list-deliveries.ts';
import { definition as listSessions } from './dashboard/list-sessions.ts';
import { definition as listTokens } from './dashboard/list-tokens.ts';
import { definition as logOut } from './dashboard/log-out.ts';
import { definition as openExport } from './dashboard/open-export.ts';
import { definition as removeConnection } from './dashboard/remove-connection.ts';
import { definition as reopenAccount } from './dashboard/reopen-account.ts';
import { definition as requestExport } from './dashboard/request-export.ts';
import { definition as returnHome } from './dashboard/return-home.ts';
import { definition as revokeSession } from './dashboard/revoke-session.ts';
import { definition as revokeToken } from './dashboard/revoke-token.ts';
import { definition as setRetention } from './dashboard/set-retention.ts';
import { definition as setTokenCap } from './dashboard/set-token-cap.ts';
import { definition as startConfirmation } from './dashboard/start-confirmation.ts';
import { definition as startConnection } from './dashboard/start-connection.ts';
import { definition as startLogin } from './dashboard/start-login.ts';
import { definition as completeFile } from './files/complete-file.ts';
import { definition as createFile } from './files/create-file.ts';
import { definition as generateBatch } from './generate/generate-batch.ts';
import { generations } from './generations.ts';
import { definition as confirmSocialWebhook } from './inbound/confirm-social-webhook.ts';
import { definition as receiveEngineCallback } from './inbound/receive-engine-callback.ts';
import { definition as receivePaymentEvent } from './inbound/receive-payment-event.ts';
import { definition as receiveSocialEvent } from './inbound/receive-social-event.ts';
import { definition as receiveSocialWithdrawal } from './inbound/receive-social-withdrawal.ts';
import { definition as receiveSubscriptionEvent } from './inbound/receive-subscription-event.ts';
import { definition as completeOperatorLogin } from './operate/complete-operator-login.ts';
import { definition as endOtherSessions } from './operate/end-other-sessions.ts';
import { definition as endOwnSession } from './operate/end-own-session.ts';
import { definition as endView } from './operate/end-view.ts';
import { definition as findAnything } from './operate/find-anything.ts';
import { definition as getAct } from './operate/get-act.ts';
import { definition as getAttention } from './operate/get-attention.ts';
import { definition as getCatalog } from './operate/get-catalog.ts';
import { definition as getCustomer } from './operate/get-customer.ts';
import { definition as getFigures } from './operate/get-figures.ts';
import { definition as getOperator } from './operate/get-operator.ts';
import { definition as inspectTask } from './operate/inspect-task.ts';
import { definition as listActForms } from './operate/list-act-forms.ts';
import { definition as listActs } from './operate/list-acts.ts';
import { definition as listCases } from './operate/list-cases.ts';
import { definition as listCustomers } from './operate/list-customers.ts';
import { definition as listDeadLetters } from './operate/list-dead-letters.ts';
import { definition as listGrantRequests } from './operate/list-grant-requests.ts';
import { definition as listOperatedTasks } from './operate/list-operated-tasks.ts';
import { definition as listOperatorSessions } from './operate/list-operator-sessions.ts';
import { definition as listQueues } from './operate/list-queues.ts';
import { definition as logOutOperator } from './operate/log-out-operator.ts';
import { definition as performAccountAct } from './operate/perform-account-act.ts';
import { definition as performAdminAct } from './operate/perform-admin-act.ts';
import { definition as performConnectionAct } from './operate/perform-connection-act.ts';
import { definition as performPaymentAct } from './operate/perform-payment-act.ts';
import { definition as performQueueAct } from './operate/perform-queue-act.ts';
import { definition as performTaskAct } from './operate/perform-task-act.ts';
import { definition as returnToDesk } from './operate/return-to-desk.ts';
import { definition as startOperatorLogin } from './operate/start-operator-login.ts';
import { definition as hideComment } from './piloto/hide-comment.ts';
import { definition as likeComment } from './piloto/like-comment.ts';
import { definition as listCommentedPosts } from './piloto/list-commented-posts.ts';
import { definition as listComments } from './piloto/list-comments.ts';
import { definition as listConversations } from './piloto/list-conversations.ts';
import { definition as listMessages } from './piloto/list-messages.ts';
import { definition as markConversationRead } from './piloto/mark-conversation-read.ts';
import { definition as replyToComment } from './piloto/reply-to-comment.ts';
import { definition as sendMessage } from './piloto/send-message.ts';
import { definition as unhideComment } from './piloto/unhide-comment.ts';
import { definition as unlikeComment } from './piloto/unlike-comment.ts';
import { definition as findProvenance } from './public/find-provenance.ts';
import { definition as getClients } from './public/get-clients.ts';
import { definition as getDataDeletion } from './public/get-data-deletion.ts';
import { definition as getDocs } from './public/get-docs.ts';
import { definition as getHealth } from './public/get-health.ts';
import { definition as getOpenapi } from './public/get-openapi.ts';
import { definition as getVerify } from './public/get-verify.ts';
import { definition as listPlans } from './public/list-plans.ts';
import { definition as listVoices } from './public/list-voices.ts';
import { definition as listWebhookKeys } from './public/list-webhook-keys.ts';
import { definition as createStudioAvatar } from './studio/create-studio-avatar.ts';
import { definition as createStudioProduct } from './studio/create-studio-product.ts';
import { definition as getStudioCatalog } from './studio/get-studio-catalog.ts';
import { definition as listStudioProducts } from './studio/list-studio-products.ts';
import { definition as cancelTask } from './tasks/cancel-task.ts';
import { definition as deleteTask } from './tasks/delete-task.ts';
import { definition as getTask } from './tasks/get-task.ts';
import { definition as listTaskEvents } from './tasks/list-task-events.ts';
import { definition as listTasks } from './tasks/list-tasks.ts';
import { definition as redeliverWebhook } from './tasks/redeliver-webhook.ts';
import { definition as askClipEngine } from './workflow/ask-clip-engine.ts';
import { definition as askEngine } from './workflow/ask-engine.ts';
import { definition as completeCopy } from './workflow/complete-copy.ts';
import { definition as copyPart } from './workflow/copy-part.ts';
import { definition as finalize } from './workflow/finalize.ts';
import { definition as planCopy } from './workflow/plan-copy.ts';
import { definition as rankClips } from './workflow/rank-clips.ts';
import { definition as reportClips } from './workflow/report-clips.ts';
import { definition as settleExecution } from './workflow/settle-execution.ts';

export const operations: Readonly<Record<OperationId, Definition<HttpHandler>>> = {
  listPlans,
  listVoices,
  getHealth,
  findProvenance,
  getProfile,
  listCreditHistory,
  getUsage,
  createCreditOrder,
  listOrders,
  getOrder,
  createSubscription,
  getSubscription,
  listTasks,
  getTask,
  cancelTask,
  deleteTask,
  listTaskEvents,
  redeliverWebhook,
  getStudioCatalog,
  ...generations,
  generateBatch,
  createStudioProduct,
  listStudioProducts,
  createStudioAvatar,
  createFile,
  completeFile,
  listConversations,
  listMessages,
  sendMessage,
  markConversationRead,
  listCommentedPosts,
  listComments,
  replyToComment,
  hideComment,
  unhideComment,
  likeComment,
  unlikeComment,
};

/** Operations that only the dashboard has. */
export const dashboard: Readonly<Record<DashboardOperationId, Definition<HttpHandler>>> = {
  getSession,
  listSessions,
  revokeSession,
  logOut,
  listTokens,
  createToken,
  fillTestCredits,
  setTokenCap,
  requestExport,
  openExport,
  getExport,
  getRetention,
  setRetention,
  revokeToken,
  closeAccount,
  reopenAccount,
  listDeliveries,
  listConnections,
  chooseConnection,
  removeConnection,
};

/** Operations that only the operators' pages have. */
export const operate: Readonly<Record<OperateOperationId, Definition<HttpHandler>>> = {
  getOperator,
  listOperatorSessions,
  endOwnSession,
  endOtherSessions,
  endView,
  logOutOperator,
  findAnything,
  getFigures,
  getAttention,
  listCustomers,
  getCustomer,
  listOperatedTasks,
  listQueues,
  listDeadLetters,
  inspectTask,
  listCases,
  getCatalog,
  getAct,
  listActForms,
  listActs,
  listGrantRequests,
  performAccountAct,
  performAdminAct,
  performConnectionAct,
  performPaymentAct,
  performTaskAct,
  performQueueAct,
};

/** Routes of the dashboard and of the operators' pages that browsers visit directly. */
export const navigations: Readonly<
  Record<
    keyof typeof loginRoutes | keyof typeof connectionRoutes | keyof typeof operatorLoginRoutes,
    Definition<HttpHandler>
  >
> = {
  startLogin,
  startConfirmation,
  completeLogin,
  returnHome,
  startConnection,
  completeConnection,
  startOperatorLogin,
  completeOperatorLogin,
  returnToDesk,
};

export const inbound: Readonly<Record<keyof typeof inboundRoutes, Definition<HttpHandler>>> = {
  receiveEngineCallback,
  receivePaymentEvent,
  receiveSubscriptionEvent,
  confirmSocialWebhook,
  receiveSocialEvent,
  receiveSocialWithdrawal,
};

export const documents: Readonly<Record<keyof typeof documentRoutes, Definition<HttpHandler>>> = {
  listWebhookKeys,
  getOpenapi,
  getDocs,
  getClients,
  getVerify,
  getDataDeletion,
};

/** Steps of the state machines, by their names in the definitions. */
export const steps = {
  planCopy,
  copyPart,
  completeCopy,
  askClipEngine,
  rankClips,
  reportClips,
  askEngine,
  finalize,
} as const satisfies Record<string, Definition<StepHandler>>;

export const queueConsumers = { deliverWebhook, processPaymentEvent, processInboxMessage } as const satisfies Record<
  string,
  Definition<QueueHandler>
>;

/** Functions called by schedules and events. */
export const background = {
  settleExecution,
  sweepTasks,
  auditLedger,
  eraseClosedAccounts,
  reconcileOrders,
  reconcileSubscriptions,
  scheduleInboxSyncs,
  makeExports,
} as const satisfies Record<string, Definition<StepHandler>>;
