/** Shown in the inbox of an account without a connected page; links to where one is connected. */
import { connectionsAnchor } from '../../../shared/contracts/connecting.ts';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Empty } from '../../parts/empty.tsx';
import { LinkButton } from '../../parts/link-button.tsx';

export function NotConnected() {
  const { text } = useLanguage();
  const { data, isPending } = useApi(dashboardContracts.listConnections, {}, { refetchInterval: 10_000 });
  const offered = data?.channels.filter(({ isOffered }) => isOffered) ?? [];
  // While the copies of all pages are being erased, nothing can be connected.
  const isErasing = offered.length > 0 && offered.every(({ page }) => page?.state === 'erasing');
  const { notes } = text.connections;
  if (isPending) return null;
  return (
    <Empty icon="inbox" title={text.inbox.notConnected} hint={isErasing ? notes.erasing : text.inbox.notConnectedHint}>
      {!isErasing && (
        <LinkButton to="/account" hash={connectionsAnchor}>
          {text.inbox.connectPage}
        </LinkButton>
      )}
    </Empty>
  );
}
