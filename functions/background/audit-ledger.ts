import { Tick } from '../../shared/contracts/workflow.ts';
import { auditAccount, type Drift } from '../../shared/domain/accounts/audit-account.ts';
import { type AuditCursor, startOfPass, type UnusedCount } from '../../shared/domain/accounts/audit-store.ts';
import { beginCount, endCount } from '../../shared/domain/accounts/audit-unused.ts';
import { unreportedCorrections } from '../../shared/domain/accounts/drift-correction.ts';
import { accounts, audits, engineJobs, ledger, tasks } from '../../shared/domain/store-ports.ts';
import type { Day } from '../../shared/domain/usage/usage.ts';
import { contentCertificate } from '../../shared/platform/content-certificate.ts';
import type { With } from '../../shared/runtime/context.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

/** How many accounts are audited concurrently. */
const atOnce = 10;

/** How long one call audits; the next call continues from there. */
const longestMs = 240_000;

type Needed = 'accounts' | 'audits' | 'contentCertificate' | 'engineJobs' | 'ledger' | 'tasks';
type Needs = With<Needed>;

const drifts = ({ credits, slots, figures = [] }: Drift): boolean =>
  credits !== 0 || slots.length > 0 || figures.length > 0;

/** Audits an account; one that cannot be read is left to the next pass, so that it does not stop the others. */
async function auditOne(
  context: Needs,
  accountId: string,
  day: Day | undefined,
): Promise<Drift | 'unread' | undefined> {
  try {
    const drift = await auditAccount(context, accountId, day);
    if (drift?.unrecounted) context.logger.error('figures not recounted', { accountId, error: drift.unrecounted });
    return drift;
  } catch (error) {
    context.logger.error('audit failed', { accountId, error: error as Error });
    return 'unread';
  }
}

/** Accounts in the order of their ids, in batches. */
async function* batches({ accounts }: Needs, after: string): AsyncGenerator<readonly string[]> {
  let batch: string[] = [];
  for await (const accountId of accounts.ids(after)) {
    batch.push(accountId);
    if (batch.length < atOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

interface Pass extends AuditCursor {
  readonly isComplete: boolean;
  readonly found: readonly Drift[];
  /** How many accounts have figures that could not be recounted. */
  readonly unrecounted: number;
}

/** Adds the unused credits of an account; one that could not be audited makes the count incomplete. */
function addUnused(count: UnusedCount, result: Awaited<ReturnType<typeof auditOne>>): UnusedCount {
  if (result === 'unread' || !result?.unused) return { ...count, isWhole: false };
  const { credits, isErased } = result.unused;
  return { ...count, credits: count.credits + credits, ofErased: count.ofErased + (isErased ? credits : 0) };
}

/** Audits the accounts after the cursor, until the last one or until time runs out. */
async function passFrom(context: Needs, cursor: AuditCursor): Promise<Pass> {
  const end = context.clock.now() + longestMs;
  let { after, audited, unaudited, unused } = cursor;
  const found: Drift[] = [];
  let unrecounted = 0;
  const reached = () => ({ after, audited, unaudited, ...(unused && { unused }), found, unrecounted });
  for await (const batch of batches(context, after)) {
    if (context.clock.now() >= end) return { ...reached(), isComplete: false };
    const results = await Promise.all(batch.map((accountId) => auditOne(context, accountId, unused?.day)));
    const read = results.filter((result) => result !== 'unread');
    found.push(...read.flatMap((drift) => (drift && drifts(drift) ? [drift] : [])));
    unrecounted += read.filter((drift) => drift?.unrecounted).length;
    audited += read.length;
    unaudited += results.length - read.length;
    unused &&= results.reduce(addUnused, unused);
    after = batch.at(-1) ?? after;
  }
  return { ...reached(), isComplete: true };
}

/** Counts unused credits; an error does not stop the audit, because they are only for operators. */
const counting = <Result>(context: Needs, count: Promise<Result>): Promise<Result | undefined> =>
  count.catch((error: unknown) => {
    context.logger.error('unused credits not counted', { error: error as Error });
    return undefined;
  });

/** The cursor of a pass, which also counts unused credits if those of the latest complete day are not recounted yet. */
async function withCount(context: Needs, start: AuditCursor): Promise<AuditCursor> {
  if (start.after !== startOfPass.after) return start;
  const unused = await counting(context, beginCount(context));
  return { ...start, ...(unused && { unused }) };
}

/** Compares the unused credits that a complete pass has counted with the stored sum; returns the number of differences. */
async function concludeCount(context: Needs, { isComplete, unused }: Pass): Promise<number> {
  if (!isComplete || !unused) return 0;
  if (!unused.isWhole) {
    context.logger.warn('unused credits counted in part', { day: unused.day });
    return 0;
  }
  const drift = await counting(context, endCount(context, unused));
  if (drift) context.logger.error('unused credits drift', { ...drift });
  return drift ? 1 : 0;
}

/**
 * Reports corrections made with the command line, which records no metrics. They are reported again if this call
 * crashes.
 */
async function reportCorrections({ clock, logger, metrics, table }: Needs): Promise<void> {
  const { drifts, remember } = await unreportedCorrections(table, clock.now());
  for (const drift of drifts) logger.error('drift corrected', { ...drift });
  if (drifts.length === 0) return;
  metrics.record({ DriftsCorrected: drifts.length });
  await remember();
}

/** How long before its expiry a certificate is reported: getting another one from an authority may take weeks. */
const certificateNoticeDays = 30;

/** Reports a certificate that expires soon. If it cannot be read now, the next audit tries again. */
async function reportCertificate({ contentCertificate, logger, metrics }: Needs): Promise<void> {
  const daysLeft = await contentCertificate.daysLeft().catch((error: unknown) => {
    logger.error('content certificate unread', { error: error as Error });
    return undefined;
  });
  if (daysLeft === undefined || daysLeft > certificateNoticeDays) return;
  logger.error('content certificate ends', { daysLeft: Math.floor(daysLeft) });
  metrics.record({ ContentCertificateEnding: 1 });
}

/**
 * Compares every balance with its ledger, every slot with its task, and the figures of the latest complete day with
 * both. Reports differences but changes no account.
 */
export const auditLedger: Step<typeof Tick, Needed> = async (_tick, context) => {
  // If the cursor cannot be read, the audit restarts from the first account, which checkpoints make cheap.
  const start = await context.audits.cursor().catch((error: unknown) => {
    context.logger.error('audit failed', { error: error as Error });
    return startOfPass;
  });
  const pass = await passFrom(context, await withCount(context, start));
  const { isComplete, found, unrecounted, ...reached } = pass;
  for (const drift of found) context.logger.error('ledger drift', { ...drift });
  await reportCorrections(context);
  await reportCertificate(context);
  const cursor = isComplete ? startOfPass : reached;
  if (cursor.after !== start.after) await context.audits.saveCursor(cursor);
  const unusedDrifts = await concludeCount(context, pass);
  context.metrics.record({
    LedgerDrift: found.reduce((sum, { credits }) => sum + Math.abs(credits), 0),
    SlotDrift: found.reduce((sum, { slots }) => sum + slots.length, 0),
    FigureDrift: found.reduce((sum, { figures = [] }) => sum + figures.length, unusedDrifts),
    FiguresUnaudited: unrecounted,
    // The metric is recorded only by complete passes, so that missing data reveals that no pass completes.
    ...(isComplete && { AccountsUnaudited: reached.unaudited }),
  });
  return { audited: reached.audited, drifts: found };
};

export const definition = stepLambda('auditLedger', Tick, auditLedger, {
  accounts,
  audits,
  contentCertificate,
  engineJobs,
  ledger,
  tasks,
});
