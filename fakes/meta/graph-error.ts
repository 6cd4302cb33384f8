/** Errors in the Graph API's format. */

export interface GraphErrorDetails {
  readonly code: number;
  readonly subcode?: number;
  /** The HTTP status. Default: 400. */
  readonly status?: number;
}

/** Thrown for a request that is rejected. */
export class GraphError extends Error {
  override readonly name = 'GraphError';
  readonly details: GraphErrorDetails;

  constructor(message: string, details: GraphErrorDetails) {
    super(message);
    this.details = details;
  }

  get status(): number {
    return this.details.status ?? 400;
  }

  get body(): object {
    const { code, subcode } = this.details;
    const error = { message: this.message, type: 'OAuthException', code, fbtrace_id: 'AbCdEfGhIjKlMnOp' };
    return { error: { ...error, ...(subcode !== undefined && { error_subcode: subcode }) } };
  }
}

export const missingObject = (id: string): GraphError =>
  new GraphError(`Unsupported request. Object with ID '${id}' does not exist`, { code: 100, subcode: 33 });

export const invalidParameter = (message: string): GraphError => new GraphError(`(#100) ${message}`, { code: 100 });

export const invalidToken = (): GraphError =>
  new GraphError('Error validating access token', { code: 190, subcode: 460, status: 401 });
