/** The envelope of every response: one form for success, one for errors. */
import type { AnyErrorCode } from './errors.ts';
import type { RequestContract } from './operation.ts';

export const successBody = (data: unknown): string => JSON.stringify({ success: true, data });

/** Each operation's data is parsed by its own schema before it is sent or stored, so undeclared fields cannot leak. */
export const successResponse = ({ status, data: schema }: RequestContract['success'], data: unknown) => ({
  status,
  body: successBody(schema.parse(data)),
});

export const errorBody = (code: AnyErrorCode, message: string): string =>
  JSON.stringify({ success: false, error: { code, message } });
