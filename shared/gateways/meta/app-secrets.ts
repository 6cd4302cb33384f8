/** The secrets of an app at Meta, as a setting lists them. */

/** Several of an app while one is being replaced, the current one first. */
export const secretsIn = (list: string): string[] =>
  list.split(',').filter((secret) => secret !== 'none' && secret !== '');
