/** Displays the account's ledger rows and the balance that they add up to. */
import type { Client } from '../../../client/client.ts';
import type { Demo } from '../demo.ts';

export type Ledger = Awaited<ReturnType<Client['listCreditHistory']>>['data'];
export type LedgerRow = Ledger['history'][number];

const amountWidth = 5;

const signed = (amount: number): string => (amount > 0 ? `+${amount}` : String(amount)).padStart(amountWidth);

const rowLine = ({ amount, reason, description }: LedgerRow): string =>
  `${signed(amount)}  ${reason}${description === reason ? '' : `  ${description}`}`;

export const readLedger = async ({ api }: Demo, signal: AbortSignal): Promise<Ledger> =>
  (await api(signal).listCreditHistory({ query: { limit: 100 } })).data;

export function showLedger({ screen }: Demo, { balance, history }: Ledger): void {
  for (const row of history) screen.line(rowLine(row));
  screen.line(screen.style('bold', `${String(balance).padStart(amountWidth)}  credits`));
}
