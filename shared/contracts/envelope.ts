/** The envelope of every response: one form for success, one for errors. */
import type { ErrorCode } from './errors.ts';

export const successBody = (data: unknown): string => JSON.stringify({ success: true, data });

export const errorBody = (code: ErrorCode, message: string): string =>
  JSON.stringify({ success: false, error: { code, message } });
