/**
 * Names the one who created or canceled a task, for operators: `by` is the id of a token of its account, `owner`, or
 * `closing`.
 */
export function taskRequester(by: string, tokenName: string): string {
  if (by === 'owner') return 'its owner, in the dashboard';
  return by === 'closing' ? 'the closing of its account' : `token ${tokenName} ${by}`;
}
