/** The limits that the contract states and the service enforces. */

/** Requests of a token that are admitted in any window of 60 seconds. */
export const requestsPerMinute = 60;

/** Requests of a session of the dashboard that are admitted in any window of 60 seconds. */
export const sessionRequestsPerMinute = 120;

/** Tasks of an account that may be open at the same time. */
export const simultaneousTasks = 20;

/** Orders of an account that may be unpaid at the same time, checkouts of subscriptions included. */
export const openOrdersLimit = 20;

/** Tokens of an account that its owner may have in force at the same time. */
export const activeTokensLimit = 20;

/** The longest name of a token. */
export const tokenNameLimit = 100;

/** The same in UTF-8: the row that every request updates must stay below a kilobyte. */
export const tokenNameBytes = 120;

/** How far ahead a token's expiry may be. */
export const tokenYearsLimit = 5;

/** How many days a report of usage may have. */
export const usageDays = 92;

/** How many series of attempts to deliver a task's webhook there may be, the first one included. */
export const deliverySeriesLimit = 100;

/** Seconds from the end of one attempt of a series to the start of the next; the first is immediate. */
export const deliveryDelaysSeconds = [0, 2, 4] as const;

export const attemptsPerSeries = deliveryDelaysSeconds.length;

/** How many attempts to deliver a task's webhook there may be in all. */
export const deliveryAttemptsLimit = deliverySeriesLimit * attemptsPerSeries;

/** Plans that may be on sale, and as many packs of credits. */
export const offersLimit = 50;

/** Bullet points of a plan. */
export const planLinesLimit = 20;

/** Voices that the service may list. */
export const voicesLimit = 500;

/** Wrong passwords of an account in a quarter of an hour; then no password is checked. */
export const passwordGuesses = 5;

/** The largest body that a request may have. */
export const bodyBytesLimit = 256 * 1024;

/** How long results are stored; a stage may set another period. */
export const resultsRetentionDays = 90;

/** How long an uploaded file is stored that nothing uses. */
export const unusedFilesRetentionDays = 7;
