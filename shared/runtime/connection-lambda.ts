/** Serves the routes by which an owner connects a page: checks who may, and redirects the browser with the outcome. */
import { type Channel, channels } from '../contracts/channels.ts';
import {
  type ConnectionOutcome,
  type ConnectionProblem,
  connectionsAnchor,
  connectionsPage,
} from '../contracts/connecting.ts';
import { Rejection, type RejectionKind } from '../domain/rejection.ts';
import { homePath, withProblem } from '../domain/sessions/return-path.ts';
import { accounts } from '../domain/store-ports.ts';
import { networkOf } from '../gateways/network-of.ts';
import type { PageNetwork } from '../gateways/social-login.ts';
import type { SessionActor } from './actor.ts';
import { authenticateSession } from './authenticate-session.ts';
import type { Context, PortFactories, PortName, With } from './context.ts';
import { navigationLambda, type UrlAfterFailure, type Visit } from './navigation-lambda.ts';

export interface Connecting extends Visit {
  readonly actor: SessionActor;
  readonly page: PageNetwork;
}

/** One step of connecting a page: redirects to a URL, or ends with an outcome. */
export type Connect<Names extends PortName> = (
  connecting: Connecting,
  context: With<Names>,
) => Promise<{ readonly url: string } | { readonly outcome: ConnectionOutcome; readonly reason?: string }>;

const channelIn = ({ param }: Visit): Channel | undefined => channels.find((channel) => channel === param('channel'));

const leaveWith = (visit: Visit, { settings }: Context, outcome: ConnectionOutcome): string => {
  const channel = channelIn(visit);
  const query = new URLSearchParams({ ...(channel && { channel }), outcome });
  // The fragment replaces the one that Instagram appends to its redirect; without it, the browser would keep
  // Instagram's.
  return `${settings.dashboardUrl}${connectionsPage}?${query.toString()}#${connectionsAnchor}`;
};

const problems: Readonly<Partial<Record<RejectionKind, ConnectionProblem>>> = { 'rate-limited': 'too-many' };

async function includesInbox({ accounts }: With<'accounts'>, { accountId }: SessionActor): Promise<boolean> {
  const account = await accounts.find(accountId);
  return account?.features.includes('piloto') ?? false;
}

async function outcomeOf<Names extends PortName>(
  visit: Visit,
  context: With<Names | 'accounts'>,
  connect: Connect<Names>,
) {
  const actor = await authenticateSession(visit.exchange, context);
  const channel = channelIn(visit);
  const network = channel && networkOf(channel, context.settings);
  if (!network) return { outcome: 'not-offered' } as const;
  if (!(await includesInbox(context, actor))) return { outcome: 'not-in-plan' } as const;
  return connect({ ...visit, actor, page: { channel, network } }, context);
}

/** `choose` is not a failure: the owner only has to select a page. */
const isProblem = (outcome: ConnectionOutcome): boolean => outcome !== 'connected' && outcome !== 'choose';

export function connectionLambda<Names extends PortName>(
  name: string,
  connect: Connect<Names>,
  ports: PortFactories<Names>,
  /** A check that runs before anything is read. @throws {Rejection} */
  guard: (visit: Visit, context: Context) => void = () => undefined,
) {
  const navigate = async (visit: Visit, context: With<Names | 'accounts'>): Promise<string> => {
    const { exchange } = visit;
    try {
      guard(visit, context);
      const done = await outcomeOf(visit, context, connect);
      if ('url' in done) return done.url;
      if (isProblem(done.outcome)) exchange.code = done.outcome;
      exchange.reason = 'reason' in done ? done.reason : undefined;
      return leaveWith(visit, context, done.outcome);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      exchange.code = error.kind;
      if (error.kind === 'unauthenticated') return context.settings.dashboardUrl + withProblem(homePath, 'expired');
      return leaveWith(visit, context, problems[error.kind] ?? 'failed');
    }
  };
  const urlAfterFailure: UrlAfterFailure<Names | 'accounts'> = (visit, context) => leaveWith(visit, context, 'failed');
  const all = { accounts, ...ports } as PortFactories<Names | 'accounts'>;
  return navigationLambda(name, navigate, all, urlAfterFailure);
}
