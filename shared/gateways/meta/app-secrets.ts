/** Parses the setting with the secrets of a Meta app. */

/** The secrets, the current one first; there are several while one is being replaced. */
export const secretsIn = (list: string): string[] =>
  list.split(',').filter((secret) => secret !== 'none' && secret !== '');
