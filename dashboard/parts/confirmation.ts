/** What is still missing in a confirmation of the owner's identity, or why it was rejected. */
import type { AnyErrorCode } from '../../shared/contracts/errors.ts';
import { ApiError } from '../api/api-error.ts';
import type { Session } from '../app/session.tsx';
import type { Dictionary } from '../language/en.ts';

/** Whether a social log-in is recent enough, with time left to fill in the form. */
export const isConfirmed = ({ confirmedUntil, kind }: Session): boolean =>
  kind === 'social' && confirmedUntil !== null && Date.parse(confirmedUntil) > Date.now();

/** Whether another log-in is needed, even if the password was right. */
export const needsLogin = (error: unknown): boolean =>
  error instanceof ApiError && error.code === ('CONFIRMATION_REQUIRED' satisfies AnyErrorCode);

/** What the user must do before the form can be sent, if anything. */
export function missingConfirmation(session: Session, password: string, text: Dictionary): string | undefined {
  if (session.kind === 'password') return password === '' ? text.tokens.passwordMissing : undefined;
  return isConfirmed(session) ? undefined : text.tokens.confirmFirst;
}

/** Why the service did not accept the confirmation; undefined for any other error. */
export function rejectedConfirmation(error: unknown, text: Dictionary): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === ('WRONG_PASSWORD' satisfies AnyErrorCode)) return text.tokens.wrongPassword;
  if (needsLogin(error)) return text.tokens.confirmFirst;
  return error.status === 429 ? text.tokens.tooManyGuesses : undefined;
}
