/** Errors in the API's format. */

export type FaultType = 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';

export interface FaultDetails {
  readonly status?: number;
  readonly type?: FaultType;
  readonly code?: string;
  readonly param?: string;
}

/** Thrown for a request that is rejected. */
export class StripeFault extends Error {
  override readonly name = 'StripeFault';
  readonly status: number;
  readonly details: FaultDetails;

  constructor(message: string, { status = 400, ...details }: FaultDetails = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }

  get body(): object {
    const { message, details } = this;
    return { error: { type: 'invalid_request_error', message, ...details } };
  }
}

const titles: Readonly<Record<string, string>> = {
  'checkout.session': 'checkout.session',
  promotion_code: 'promotion code',
};

export const missing = (kind: string, id: string, param = 'id'): StripeFault =>
  new StripeFault(`No such ${titles[kind] ?? kind}: '${id}'`, {
    status: param === 'id' ? 404 : 400,
    code: 'resource_missing',
    param,
  });
