/** The user confirms that they are the account's owner, before a request that a session alone must not make. */
import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import type { Session } from '../app/session.tsx';
import { useLanguage } from '../language/language.tsx';
import { isConfirmed } from './confirmation.ts';
import { Icon } from './icon.tsx';

interface ConfirmIdentityProps {
  readonly session: Session;
  readonly password: string;
  readonly error: string | undefined;
  /** Whether the password was not enough, so that a log-in is needed as well. */
  readonly needsLogin: boolean;
  /** The page to which the provider returns, below the dashboard's root. */
  readonly returnTo: 'account' | 'tokens' | 'tokens/new';
  readonly onPassword: (password: string) => void;
  /** Called before the browser leaves for the provider. */
  readonly onLeave: () => void;
}

const minutesUntil = (date: string): number => Math.floor((Date.parse(date) - Date.now()) / 60_000);

interface LoginLinkProps extends Pick<ConfirmIdentityProps, 'onLeave' | 'returnTo'> {
  readonly label: string;
}

/** A link to the provider, which returns to the form. */
function LoginLink({ label, returnTo, onLeave }: LoginLinkProps) {
  return (
    <Button
      component="a"
      href={`/account/api/confirm?returnTo=${encodeURIComponent(import.meta.env.BASE_URL + returnTo)}`}
      variant="light"
      leftSection={<Icon name="account" size={16} />}
      onClick={onLeave}
    >
      {label}
    </Button>
  );
}

function Password({ password, error, needsLogin, returnTo, onLeave, onPassword }: ConfirmIdentityProps) {
  const { text } = useLanguage();
  const field = (
    <PasswordInput
      label={text.tokens.password}
      description={text.tokens.passwordHint}
      autoComplete="current-password"
      required
      maw={420}
      value={password}
      error={error}
      onChange={({ currentTarget }) => onPassword(currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': text.common.show }}
    />
  );
  if (!needsLogin) return field;
  return (
    <Stack gap="xs" align="flex-start">
      {field}
      <Text size="sm" c="dimmed">
        {text.tokens.logInAgainHint}
      </Text>
      <LoginLink label={text.tokens.logInAgain} returnTo={returnTo} onLeave={onLeave} />
    </Stack>
  );
}

function Provider({ session, error, returnTo, onLeave }: ConfirmIdentityProps) {
  const { text } = useLanguage();
  const { confirmedUntil, provider } = session;
  if (isConfirmed(session) && confirmedUntil !== null) {
    return (
      <Text size="sm" className="status" data-tone="good">
        {text.tokens.confirmed(Math.max(1, minutesUntil(confirmedUntil)))}
      </Text>
    );
  }
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm" c="dimmed">
        {text.tokens.confirmHint(provider)}
      </Text>
      <LoginLink label={text.tokens.confirmWith(provider)} returnTo={returnTo} onLeave={onLeave} />
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
    </Stack>
  );
}

export const ConfirmIdentity = (props: ConfirmIdentityProps) =>
  props.session.kind === 'password' ? <Password {...props} /> : <Provider {...props} />;
