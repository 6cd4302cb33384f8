/** The roles of operators; each role may do everything that the earlier ones may. */

export const operatorRoles = ['viewer', 'support', 'admin'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** Whether a role is at least the required one. */
export const hasRole = (role: OperatorRole, least: OperatorRole): boolean =>
  operatorRoles.indexOf(role) >= operatorRoles.indexOf(least);
