/** The values entered for a new token, which are kept during a visit to a provider; they never contain a secret. */
import type { Scope } from '../../../shared/contracts/scopes.ts';
import { type TokenMode, tokenModes } from '../../../shared/contracts/token-modes.ts';
import { capOf } from './cap-field.tsx';

export const expiries = { never: undefined, days30: 30, days90: 90, days365: 365 } as const;
export type Expiry = keyof typeof expiries;

export interface TokenDraft {
  readonly name: string;
  readonly mode: TokenMode;
  readonly scopes: readonly Scope[];
  readonly expiry: Expiry;
  /** The monthly cap as it was entered. */
  readonly cap: string;
}

const storageKey = 'token-draft';

const empty: TokenDraft = { name: '', mode: 'live', scopes: [], expiry: 'never', cap: '' };

export const saveDraft = (draft: TokenDraft): void => sessionStorage.setItem(storageKey, JSON.stringify(draft));

export const clearDraft = (): void => sessionStorage.removeItem(storageKey);

/** The draft to begin with: what was entered before a visit to a provider, or an empty one for a mode. */
export function savedDraft(mode?: string): TokenDraft {
  const saved = sessionStorage.getItem(storageKey);
  if (saved !== null) return { ...empty, ...(JSON.parse(saved) as Partial<TokenDraft>) };
  return { ...empty, mode: tokenModes.find((one) => one === mode) ?? empty.mode };
}

const dayMs = 86_400_000;

export function bodyOf({ cap: entered, expiry, mode, name, scopes }: TokenDraft, password: string) {
  const days = expiries[expiry];
  const cap = capOf(entered);
  return {
    name: name.trim(),
    mode,
    scopes: [...scopes],
    ...(days !== undefined && { expiresAt: new Date(Date.now() + days * dayMs).toISOString() }),
    ...(typeof cap === 'number' && { monthlyCreditCap: cap }),
    ...(password !== '' && { password }),
  };
}
