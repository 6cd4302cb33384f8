/** The acts that the operators' pages offer, by the operation that performs them. */

/** The names of the acts of each group. Those of a group have the same role and similar permissions. */
export const actGroups = {
  account: [
    'liftLimits',
    'setRetention',
    'endSessions',
    'addNote',
    'seeAsCustomer',
    'setTokenCap',
    'revokeToken',
    'grantCredits',
    'declineGrant',
    'fillTestCredits',
  ],
  payment: ['settleOrder', 'cancelOrder', 'cancelSubscription', 'resolveCase'],
  task: ['failTask', 'redeliverWebhook'],
  queue: ['redriveDeadLetters'],
  connection: ['syncConnection', 'removeConnection'],
  admin: [
    'createAccount',
    'inviteOwner',
    'approveGrant',
    'endOperatorSessions',
    'changeCatalog',
    'resetCatalog',
    'undoCatalog',
    'switchOperation',
    'useRoutes',
    'setPrice',
  ],
} as const;

export type ActGroup = keyof typeof actGroups;
export type ActOfGroup<Group extends ActGroup> = (typeof actGroups)[Group][number];
/** An act that the pages offer. */
export type OfferedAct = ActOfGroup<ActGroup>;
