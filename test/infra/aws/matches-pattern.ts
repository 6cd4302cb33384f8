/** Whether a text matches a pattern of an IAM policy, in which `*` stands for any text. */
export const matchesPattern = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(text);
