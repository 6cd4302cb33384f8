/** The roles of operators, each of which may do what the ones before it may. */

export const operatorRoles = ['viewer', 'support', 'admin'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** Whether a role may do what at least another role is needed for. */
export const hasRole = (role: OperatorRole, least: OperatorRole): boolean =>
  operatorRoles.indexOf(role) >= operatorRoles.indexOf(least);
