/** The button that ends the session. */
import { Button } from '@mantine/core';
import { dashboardContracts } from '../../shared/contracts/dashboard.ts';
import { useCall } from '../api/use-api.ts';
import { useLanguage } from '../language/language.tsx';
import { Icon } from './icon.tsx';

export function LogOut() {
  const { text } = useLanguage();
  const logOut = useCall(dashboardContracts.logOut, { onSuccess: ({ logoutUrl }) => location.assign(logoutUrl) });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="logOut" size={16} />}
      loading={logOut.isPending}
      onClick={() => logOut.mutate({})}
    >
      {text.shell.logOut}
    </Button>
  );
}
