/** Views of accounts by operators for tests, begun and used as pages do it. */
import { performers } from '../../shared/contracts/operate-acts.ts';
import type { OperatorRole } from '../../shared/contracts/operator-roles.ts';
import type { FullContext } from '../../shared/runtime/full-context.ts';
import { giveOperator } from './given-operator.ts';
import { callPage, type PageCall } from './given-session.ts';

interface Host {
  readonly url: string;
  readonly service: { readonly context: Pick<FullContext, 'clock' | 'ids' | 'settings' | 'table'> };
}

export interface GivenView {
  /** The response to the act, whose id is that of the view. */
  readonly response: Awaited<ReturnType<typeof callPage>>;
  readonly viewId: string;
  /** The attributes of the cookie that the browser got. */
  readonly attributes: string;
  /** The cookie of the view and the header that names it. */
  readonly request: Pick<PageCall, 'cookie' | 'headers'>;
  /** The cookie of the operator's session. */
  readonly operator: string;
}

/** Begins a view, in the session of an operator who has just logged in unless another is given. */
export async function giveView(
  { service: { context }, url }: Host,
  account: string,
  { role = 'support', operator }: { readonly role?: OperatorRole; readonly operator?: string } = {},
): Promise<GivenView> {
  const cookie = operator ?? (await giveOperator(context, role)).cookie;
  const response = await callPage(url, performers.account, {
    params: { act: 'seeAsCustomer' },
    body: { reason: 'The customer sees no invoice.', input: { account } },
    cookie,
    headers: { 'idempotency-key': context.ids.next() },
  });
  const { actId = '' } = (response.body.data ?? {}) as { actId?: string };
  const [pair = '', ...attributes] = (response.cookies[0] ?? '').split('; ');
  return {
    response,
    viewId: actId,
    attributes: attributes.join('; '),
    request: { cookie: pair, headers: { 'x-view': actId } },
    operator: cookie,
  };
}
