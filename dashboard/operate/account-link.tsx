/** A link to the page of an account, by its owner's e-mail address if that is known; a test account's is its live one's. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

interface AccountLinkProps {
  readonly accountId: string;
  readonly email?: string | null | undefined;
}

export const AccountLink = ({ accountId, email }: AccountLinkProps) => (
  <Anchor component="span">
    <Link to="/customers/$accountId" params={{ accountId: accountId.replace(/^test-/, '') }}>
      {email ?? accountId}
    </Link>
  </Anchor>
);
