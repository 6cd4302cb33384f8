/** ARNs of local resources, with a placeholder account and region. */

export const localRegion = 'us-east-1';
export const localAccountId = '000000000000';

/** `localArn('states', 'stateMachine:generate')` → `arn:aws:states:us-east-1:000000000000:stateMachine:generate` */
export const localArn = (service: string, resource: string): string =>
  `arn:aws:${service}:${localRegion}:${localAccountId}:${resource}`;
