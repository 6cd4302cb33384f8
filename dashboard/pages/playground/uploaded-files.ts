/** The files that were uploaded in this visit, by their addresses: to show them, and to upload them for the other mode. */
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
