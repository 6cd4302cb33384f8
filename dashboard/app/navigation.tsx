/** The navigation: beside the content on wide screens, below it on phones. */
import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { accountContracts } from '../../shared/contracts/account.ts';
import { documentRoutes } from '../../shared/contracts/documents.ts';
import { useApi } from '../api/use-api.ts';
import { useLanguage } from '../language/language.tsx';
import { Icon } from '../parts/icon.tsx';
import { useSession } from './session.tsx';

const pages = [
  { name: 'overview', to: '/' },
  { name: 'playground', to: '/playground' },
  { name: 'tasks', to: '/tasks' },
  { name: 'tokens', to: '/tokens' },
  { name: 'webhooks', to: '/webhooks' },
  { name: 'inbox', to: '/inbox', feature: 'piloto' },
  { name: 'billing', to: '/billing' },
  { name: 'account', to: '/account' },
] as const;

function Balance() {
  const { text, credits } = useLanguage();
  const { data } = useApi(accountContracts.listCreditHistory, { query: { limit: 1 } });
  return (
    <Link to="/billing" className="balance">
      <Text size="xs" c="dimmed">
        {text.billing.balance}
      </Text>
      <Text fw={600}>{data ? credits(data.balance) : '–'}</Text>
    </Link>
  );
}

/** The pages to which the account has access; operators do not see its inbox. */
export function usePages() {
  const { features, isView } = useSession();
  return pages.filter((page) => !('feature' in page) || (features.includes(page.feature) && !isView));
}

export function Navigation({ children }: { readonly children: ReactNode }) {
  const { text } = useLanguage();
  const { apiUrl } = useSession();
  return (
    <nav className="navigation" aria-label={text.shell.navigation}>
      <Link to="/" className="brand">
        <img src={`${import.meta.env.BASE_URL}favicon.svg`} alt="" width={28} height={28} />
        <span>{text.shell.service}</span>
      </Link>
      {children}
      <ul>
        {usePages().map(({ name, to }) => (
          <li key={name}>
            <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
              <Icon name={name} size={20} />
              <span>{text.shell[name]}</span>
            </Link>
          </li>
        ))}
      </ul>
      <div className="navigation-end">
        <Balance />
        <a href={apiUrl + documentRoutes.getDocs.path} className="reference">
          <Icon name="book" size={18} />
          <span>{text.shell.documentation}</span>
        </a>
      </div>
    </nav>
  );
}
