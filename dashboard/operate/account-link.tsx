/** A link to the page of an account, by its id. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export const AccountLink = ({ accountId }: { readonly accountId: string }) => (
  <Anchor component="span">
    <Link to="/customers/$accountId" params={{ accountId }}>
      {accountId}
    </Link>
  </Anchor>
);
