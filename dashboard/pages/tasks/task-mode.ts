/** The mode of the task that a page shows: everything that the page reads and changes belongs to it. */
import { createContext, use } from 'react';
import { type TokenMode, tokenModes } from '../../../shared/contracts/token-modes.ts';

export const TaskModeContext = createContext<TokenMode>('live');

export const useTaskMode = (): TokenMode => use(TaskModeContext);

/** The mode in the address of a page; addresses without one are about live tasks. */
export const modeIn = ({ mode }: { readonly mode?: string | undefined }): TokenMode =>
  tokenModes.find((one) => one === mode) ?? 'live';

/** The part of an address that says the mode. */
export const modeSearch = (mode: TokenMode): { readonly mode?: TokenMode } => (mode === 'live' ? {} : { mode });
