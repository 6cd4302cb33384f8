/** What passes between the engine and the program that makes its pictures. */
import type { MadeFile, WorkFailureCode } from '../ability.ts';
import type { ImageOperation } from './image-requests.ts';

/** Where a job's files go, and how its progress (0 to 100) is told. */
export interface ImageContext {
  readonly filesDir: string;
  readonly fileStem: string;
  readonly progress: (percent: number) => void;
}

/** The program reads one as JSON on stdin. */
export interface ImageOrder {
  readonly operation: ImageOperation;
  /** As image-requests.ts parsed it. */
  readonly request: unknown;
  readonly filesDir: string;
  readonly fileStem: string;
}

/** The program writes these to stdout, each as JSON on a line of its own; the last is no progress. */
export type ImageReport =
  | { readonly progress: number }
  | { readonly files: readonly MadeFile[] }
  | { readonly failure: { readonly code: WorkFailureCode; readonly message: string } };
