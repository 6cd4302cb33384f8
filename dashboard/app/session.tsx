/** Provides the session to all pages. */
import { createContext, use } from 'react';
import type { dashboardContracts } from '../../shared/contracts/dashboard.ts';
import type { Data } from '../api/call.ts';

export type Session = Data<typeof dashboardContracts.getSession>;

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('There is no session.');
  return session;
}
