/** Limits that the contract publishes and the service enforces. */

/** How many requests per token are admitted in any window of 60 seconds. */
export const requestsPerMinute = 60;

/** How many requests per dashboard session are admitted in any window of 60 seconds. */
export const sessionRequestsPerMinute = 120;
/** How many requests an operator's session admits in a minute. */
export const operatorRequestsPerMinute = 120;

/** How many seconds a client may be asked to wait between two polls of a task. */
export const pollingSeconds = { least: 1, most: 30 } as const;

/** How many tasks one request can poll. */
export const polledTasksLimit = 20;

/** The longest label of a task, in characters. */
export const taskLabelLimit = 80;

/** How many tasks of an account may be open at the same time. */
export const simultaneousTasks = 20;

/** How many requests a batch may have. */
export const batchItemsLimit = 20;

/** How many unpaid orders an account may have at the same time, including subscription checkouts. */
export const openOrdersLimit = 20;

/** How many valid tokens an account's owner may have at the same time. */
export const activeTokensLimit = 20;

/** The longest token name, in characters. */
export const tokenNameLimit = 100;

/** The longest token name in UTF-8 bytes: the row that every request updates must stay below a kilobyte. */
export const tokenNameBytes = 120;

/** How many years ahead a token's expiry may be. */
export const tokenYearsLimit = 5;

/** How many of the newest entries of a list may be skipped. */
export const offsetLimit = 10_000;

/** How many days a usage report may cover. */
export const usageDays = 92;

/** How many series of attempts a task's webhook may have, including the first. */
export const deliverySeriesLimit = 100;

/** How many times in an hour an account may have the webhook of a task sent again. */
export const redeliveriesPerHour = 10;

/** Seconds from the end of one attempt of a series to the start of the next; the first is immediate. */
export const deliveryDelaysSeconds = [0, 2, 4] as const;

export const attemptsPerSeries = deliveryDelaysSeconds.length;

/** How many series of attempts the dashboard's list of webhooks shows; a task shows all. */
export const listedSeries = 4;

/** How many attempts to deliver a task's webhook are made in total. */
export const deliveryAttemptsLimit = deliverySeriesLimit * attemptsPerSeries;

/** How long a task may take before it fails with PROVIDER_TIMEOUT, by what it results in. */
export const timeLimitSeconds = { image: 600, audio: 600, video: 1800, clips: 3600 } as const;
export type TimeLimitSeconds = (typeof timeLimitSeconds)[keyof typeof timeLimitSeconds];

export const longestTimeLimitSeconds = Math.max(...Object.values(timeLimitSeconds));

/** How many clips a video may be cut into. */
export const clipCounts = { min: 3, max: 20 } as const;

/** How many plans, and how many credit packs, may be on sale. */
export const offersLimit = 50;

/** How many bullet points a plan may have. */
export const planLinesLimit = 20;

/** How many voices the service may list. */
export const voicesLimit = 500;

/** How many of an account's last log-ins can have sessions: a further log-in ends the oldest one. */
export const openSessionsLimit = 100;

/** How many wrong passwords an account may try in 15 minutes; after that, no password is checked. */
export const passwordGuesses = 5;

/** For how many days a closed account can be opened again, before it is erased. */
export const closedAccountDays = 7;

/**
 * For how many days an owner who has opened their closed account again cannot do so once more. Closing cancels open tasks
 * and refunds them without a limit, although engines may charge for them.
 */
export const daysBetweenReopenings = 30;

/** The highest monthly cap of a token, in credits. */
export const monthlyCapLimit = 1_000_000_000;

/** How many credits a test account has after its daily credits are topped up. */
export const testPurseCredits = 10_000;

/** How long a task in test mode takes, in seconds, if its test case does not say otherwise. */
export const usualTestSeconds = 2;

/** The largest accepted request body. */
export const bodyBytesLimit = 256 * 1024;

/** How long results are stored by default; a stage may override it. */
export const resultsRetentionDays = 90;

/** The longest period in days after which an account may have the results or inputs of its tasks erased. */
export const retentionDaysLimit = 90;

/** How long the digests of results are stored by default, so that anybody can find out who published a file. */
export const publishedRetentionDays = 730;

/** How often an address may ask in a minute whether the service published a file. */
export const lookupsPerMinute = 30;

/**
 * How many long results an account may have on one day (UTC): tasks whose result was longer than what was paid for.
 * After that, operations whose price depends on the duration of a file are rejected for the rest of the day.
 */
export const longResultsPerDay = 5;

/**
 * For how many days after a long result an account may have only one open task whose price depends on the duration of a
 * file.
 */
export const observationDays = 30;

/**
 * How many tasks an account may cancel on one day (UTC), even if it pays for few: as many as it can have open at once.
 */
export const cancelsPerDay = 20;

/**
 * How many credits an account's canceled tasks of one day (UTC) may have cost together, even if it pays for few tasks;
 * its charged failures may have cost as many. The dearest tasks would otherwise make the limits of their numbers useless.
 */
export const refundedCreditsPerDay = 1_000;

/**
 * An account that pays for many tasks on a day may cancel tasks for one in so many of the credits that it pays, and have
 * charged failures for as many.
 */
export const paidCreditsPerRefunded = 10;

/**
 * How many charged failures an account may have on one day (UTC), even if it pays for few tasks: tasks that failed because
 * of their content, inputs or unusable results, although their engines charged for them. After that, and what is open by
 * then, no task whose engine charges can be created on that day.
 */
export const chargedFailuresPerDay = 20;

/**
 * How many links to videos an account may have looked up on a day (UTC), apart from those that were looked up shortly
 * before: the video site limits how many the whole service may look up.
 */
export const videoLookupsPerDay = 100;

/** How many products an account may have texts generated for on a day (UTC): they are paid for and cost no credits. */
export const describedProductsPerDay = 200;

/** How many bytes of uploads an account may declare on a day (UTC). */
export const uploadBytesPerDay = 50 * 2 ** 30;

/**
 * How many bytes of uploads the products and avatars of an account may keep on a day (UTC): they are stored for as long
 * as the account exists.
 */
export const keptBytesPerDay = 2 * 2 ** 30;

/** How long an unused upload is stored. */
export const unusedFilesRetentionDays = 7;

/** How many exports an account may request on a day (UTC). */
export const exportsPerDay = 3;

/** How many links to an archive an account may request. Each link can be used by anybody until it expires. */
export const linksPerExport = 5;

/** How long the archive of an export can be downloaded. */
export const exportHours = 24;

/** The most bytes of files in an archive: as many as one call of a function is certain to copy. */
export const exportBytesLimit = 20 * 2 ** 30;
