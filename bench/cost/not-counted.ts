/** Costs in addition to those per task: monthly costs, traffic to clients, and costs that others pay. */
import { schedules } from '../../infra/hosting.ts';
import { attemptsPerSeries } from '../../shared/contracts/limits.ts';
import { attemptTimeoutMs } from '../../shared/domain/webhooks/webhook.ts';
import { dollarsFor } from './bill.ts';
import { deliveryPrices, prices } from './prices.ts';
import { gigabyteSeconds } from './usage.ts';

/**
 * Read units to audit an account that is unchanged since the last audit; an active account takes an additional write.
 */
export const auditReads = 4;

/** Lambda keeps five 20-second long polls open on a queue, even when it is empty. */
const idleReceivesPerMonth = 5 * 3 * 60 * 24 * 30;

const { gigabytes, requests } = deliveryPrices;
const idleDollars = dollarsFor(idleReceivesPerMonth, prices.queueRequests);
const megabyteDollars = dollarsFor(1000 / 1024, gigabytes);
const fetchDollars = dollarsFor(1000, requests);
const keptDollars = dollarsFor((1000 / 1024) * 3, prices.storedGigabyteMonths);

const silentDollars = dollarsFor(
  1000 * attemptsPerSeries * gigabyteSeconds({ functionName: 'deliverWebhook', ms: attemptTimeoutMs }),
  prices.lambdaGigabyteSeconds,
);

const auditEverySeconds = schedules.find(({ functionName }) => functionName === 'auditLedger')?.everySeconds ?? 0;

/** The monthly audits of an inactive account, and of an active one. */
const auditsPerMonth = (24 * 30 * 3600) / auditEverySeconds;
const idleAuditDollars = dollarsFor(auditsPerMonth * auditReads * 10_000, prices.readUnits);
const usedAuditDollars = dollarsFor(auditsPerMonth * 10_000, prices.writeUnits);

const dollars = (value: number): string => value.toFixed(3);

export const notCountedTexts: readonly string[] = [
  `CloudFront, per 1,000 downloads: $${dollars(megabyteDollars)} per megabyte, $${dollars(fetchDollars)} for requests.`,
  `Larger results: each additional megabyte, stored for three months, adds $${dollars(keptDollars)} per 1,000 tasks.`,
  `Polling an empty queue: ${idleReceivesPerMonth.toLocaleString('en-US')} receives per month, $${dollars(idleDollars)}.`,
  `Webhook receivers that never respond: ${attemptsPerSeries} attempts of ${attemptTimeoutMs / 1000} s each, $${dollars(silentDollars)} per 1,000 tasks.`,
  `The hourly audit, per month: $${idleAuditDollars.toFixed(2)} for 10,000 accounts, $${usedAuditDollars.toFixed(2)} more if all are in use.`,
  'Monthly costs: sweeper, KMS keys, secrets, alarms, metrics, log storage, stored rows and their backups.',
  'Failed, canceled and repeated requests, webhook retries, and the engine, which costs far more.',
];
