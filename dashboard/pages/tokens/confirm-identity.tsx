/** The first step to create a token: the user confirms that they are the account's owner. */
import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import type { Session } from '../../app/session.tsx';
import { useLanguage } from '../../language/language.tsx';
import { Icon } from '../../parts/icon.tsx';

interface ConfirmIdentityProps {
  readonly session: Session;
  readonly password: string;
  readonly error: string | undefined;
  /** Whether the password was not enough, so that a log-in is needed as well. */
  readonly needsLogin: boolean;
  readonly onPassword: (password: string) => void;
  /** Called before the browser leaves for the provider. */
  readonly onLeave: () => void;
}

const minutesUntil = (date: string): number => Math.floor((Date.parse(date) - Date.now()) / 60_000);

/** Whether a social log-in is recent enough, with time left to fill in the form. */
export const isConfirmed = ({ confirmedUntil, kind }: Session): boolean =>
  kind === 'social' && confirmedUntil !== null && Date.parse(confirmedUntil) > Date.now();

/** A link to the provider, which returns to the form. */
function LoginLink({ label, onLeave }: { readonly label: string; readonly onLeave: () => void }) {
  const returnTo = encodeURIComponent(`${import.meta.env.BASE_URL}tokens/new`);
  return (
    <Button
      component="a"
      href={`/account/api/confirm?returnTo=${returnTo}`}
      variant="light"
      leftSection={<Icon name="account" size={16} />}
      onClick={onLeave}
    >
      {label}
    </Button>
  );
}

function Password({ password, error, needsLogin, onLeave, onPassword }: ConfirmIdentityProps) {
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
      <LoginLink label={text.tokens.logInAgain} onLeave={onLeave} />
    </Stack>
  );
}

function Provider({ session, error, onLeave }: ConfirmIdentityProps) {
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
      <LoginLink label={text.tokens.confirmWith(provider)} onLeave={onLeave} />
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
