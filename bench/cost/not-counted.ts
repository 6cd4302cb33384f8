/** Costs besides those per task: monthly costs, traffic to clients, and costs that others pay. */
import { schedules } from '../../infra/hosting.ts';
import { attemptsPerSeries, attemptTimeoutMs } from '../../shared/domain/webhooks/webhook.ts';
import { auditReads } from '../simulate/demand.ts';
import { dollarsFor } from './bill.ts';
import { deliveryPrices, prices } from './prices.ts';
import { gigabyteSeconds } from './usage.ts';

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

/** The monthly audits of an idle account, and of one in use. */
const auditsPerMonth = (24 * 30 * 3600) / auditEverySeconds;
const idleAuditDollars = dollarsFor(auditsPerMonth * auditReads * 10_000, prices.readUnits);
const usedAuditDollars = dollarsFor(auditsPerMonth * 10_000, prices.writeUnits);

const dollars = (value: number): string => value.toFixed(3);

export const notCountedTexts: readonly string[] = [
  `CloudFront, for 1,000 fetches: $${dollars(megabyteDollars)} a megabyte, $${dollars(fetchDollars)} for requests.`,
  `Larger results: each further megabyte, kept for three months, adds $${dollars(keptDollars)} to 1,000 tasks.`,
  `Polling an empty queue: ${idleReceivesPerMonth.toLocaleString('en-US')} receives a month, $${dollars(idleDollars)}.`,
  `Receivers of webhooks that never answer: ${attemptsPerSeries} attempts of ${attemptTimeoutMs / 1000} s each, $${dollars(silentDollars)} for 1,000 tasks.`,
  `The hourly audit, by the month: $${idleAuditDollars.toFixed(2)} for 10,000 accounts, $${usedAuditDollars.toFixed(2)} more while all are in use.`,
  'By the month: sweeper, keys of KMS, secrets, alarms, metrics, log storage, stored rows and their backups.',
  'Failed, cancelled and repeated requests, further attempts at webhooks, and the engine, which costs far more.',
];
