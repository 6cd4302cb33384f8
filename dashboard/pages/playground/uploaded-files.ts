/**
 * The files that were uploaded since the page was opened, by their addresses: so that they can be shown, and uploaded
 * again for the other mode.
 */
import { createContext, use } from 'react';
import type { TokenMode } from '../../../shared/contracts/token-modes.ts';

interface Uploaded {
  readonly file: File;
  /** The mode whose tasks can use the address. */
  readonly mode: TokenMode;
}

export type UploadedFiles = Map<string, Uploaded>;

export const UploadedFilesContext = createContext<UploadedFiles>(new Map());

export const useUploadedFiles = (): UploadedFiles => use(UploadedFilesContext);
