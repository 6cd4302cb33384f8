/** The general description of the OpenAPI document, which applies to all operations. */

import { documentRoutes } from '../documents.ts';
import { errors, taskErrors } from '../errors.ts';
import { generateContracts } from '../generate.ts';
import {
  bodyBytesLimit,
  pollingSeconds,
  requestsPerMinute,
  resultsRetentionDays,
  retentionDaysLimit,
  simultaneousTasks,
  testPurseCredits,
  unusedFilesRetentionDays,
  usualTestSeconds,
} from '../limits.ts';
import type { OperationContract } from '../operation.ts';
import { registry } from '../registry.ts';
import { type Scope, scopes } from '../scopes.ts';
import { type TestCaseName, testCaseFields, testCases, testCaseText } from '../test-cases.ts';
import { retries } from './retries.ts';

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const errorTable = table(
  ['Code', 'HTTP status', 'When'],
  Object.entries(errors).map(([code, { status, description }]) => [`\`${code}\``, status, description]),
);

const taskErrorTable = table(
  ['Code', 'Meaning'],
  Object.entries(taskErrors).map(([code, meaning]) => [`\`${code}\``, meaning]),
);

const retryTable = table(
  ['Code', 'Retry', '`Idempotency-Key`', 'What to do'],
  Object.entries(retries).map(([code, { retry, key, advice }]) => [`\`${code}\``, retry, key, advice]),
);

const testCaseTable = table(
  ['Test case', 'What happens'],
  Object.entries(testCases).map(([name, { meaning }]) => [`\`${testCaseText(name as TestCaseName)}\``, meaning]),
);

const operations: readonly OperationContract[] = Object.values(registry);

const named = (scope: Scope): string =>
  operations
    .filter((contract) => contract.scopes.includes(scope))
    .map(({ operationId }) => `\`${operationId}\``)
    .join(', ');

const scopeTable = table(
  ['Scope', 'Operations'],
  scopes.filter(named).map((scope) => [`\`${scope}\``, named(scope)]),
);

const minutesOf = (operation: keyof typeof generateContracts): number =>
  generateContracts[operation].timeLimitSeconds / 60;

export const description = `
The API is for servers: no response has a CORS header, and a token must never reach a browser. A
generation responds at once with the id of a task. Poll the task with \`GET /api/v1/tasks/{taskId}\`, or pass a
\`callbackUrl\` to receive a webhook when it ends. Additions to the v1 specification are marked \`x-extension\`.

## Responses
Every success is \`{ "success": true, "data": { … } }\` and every error is
\`{ "success": false, "error": { "code": "…", "message": "…" } }\`, including errors of unknown paths and of the gateway.
Branch on \`code\`; the wording of \`message\` may change. Every response has \`X-Request-Id\`, and \`Cache-Control: no-store\`
unless stated otherwise.

## Requests
Bodies are JSON objects (\`Content-Type: application/json\`, UTF-8) of at most ${bodyBytesLimit / 1024} KiB, not compressed: a
\`Content-Encoding\` other than \`identity\` is rejected. Unknown query parameters are ignored, and so are
unknown body properties, except where the schema of the body has \`additionalProperties: false\`. A property that is
present but \`null\` is rejected unless it is declared nullable. A query value that is out of range, empty, repeated or malformed is rejected, never corrected. Operations have
no \`HEAD\`, no \`OPTIONS\` and no paths with a trailing slash (404).

A rejected request has no effect: no debit, no task, no stored response.

## Authentication
\`Authorization: Bearer <token>\`. A token is \`av_\` followed by 64 lower-case hexadecimal characters, the last 8 of which are the
CRC-32 of the 56 before them. A missing, malformed, unknown, expired or revoked token is 401 \`UNAUTHORIZED\`; a token
without the scope that the operation needs is 403 \`FORBIDDEN\`, and the message names the scope. Tokens are created and
revoked by the owner of the account; the API has no operations for that. Resources of another account are reported as not
found: 404.

An operation in several rows needs one of the scopes.

${scopeTable}

## Rate limit
Each token may make ${requestsPerMinute} requests in any window of 60 seconds, counted exactly. \`RateLimit-Policy: "token";q=${requestsPerMinute};w=60\` states
the limit. \`RateLimit: "token";r=12;t=34\` says that \`r\` more requests are admitted now and that in \`t\` seconds
the oldest counted request leaves the window and makes room for one more (not the time until all ${requestsPerMinute} are available again).
Above the limit the response is 429 \`RATE_LIMITED\`, and \`Retry-After\` is the number of seconds to wait. Requests rejected
for this reason are not counted; all others are, including replays.

An account has at most ${simultaneousTasks} open tasks: a request for one more gets 429 \`MAX_CONCURRENT_TASKS\`. Its new files are limited by bytes a day: see \`createFile\`.

## Idempotency
Operations that create something accept an \`Idempotency-Key\` of 1 to 128 characters. For 24 hours, the same key of the
same account and operation returns the first response again, whatever the body as long as it is valid, with
\`Idempotent-Replayed: true\`; nothing is created or debited again. If the body differs from the first one, the response also
has \`Idempotent-Body-Mismatch: true\`. Only responses with status 2xx are stored, so that a rejected request can be
corrected and sent again with the same key. A task that fails later does not free its key. Only where an unfinished request
may already have had an effect outside the service, such as a payment, its key stays bound to its body: a different body is rejected
with 409 \`IDEMPOTENCY_CONFLICT\` without \`Retry-After\`, because waiting does not help: only the body of the first request completes it. While
the first request is still in progress, the 409 has \`Retry-After\`.

## Dry run
\`X-Dry-Run: true\` on a generation runs every check and responds 200 with the cost and the balance. Nothing is created,
debited or stored, and the \`Idempotency-Key\` is ignored. On a batch it does so for each request.

## Test mode
A test token has the same form as a live one. Its requests take the same path, except that no engine is called: after about ${usualTestSeconds} seconds a
task completes with canned results, and its webhook is sent. Everything that it creates belongs to test mode: test tokens and live tokens of an
account see only their own tasks, files, products, avatars and credits, and their limits are separate. Test tokens have
${testPurseCredits} credits, which are filled up at 00:00 UTC. The plan is the account's. Orders, subscriptions and the inbox reject test tokens
with 403. \`X-Test-Mode: true\` is on all their responses, and \`test: true\` in their tasks and webhooks. The playground of the dashboard, which
needs no token, can use either mode; its tasks are those of the account, count as the token \`null\` in its usage, and have no webhook.

A test case in the request chooses how its task ends: in \`${testCaseFields.join('`, `')}\`, or in \`X-Client-Reference\` if the request has none of these fields. For a live
token it is ordinary text.

${testCaseTable}

## Prices
\`x-price\` of an operation is its default price in credits. Prices can change without a new version of the API: a dry
run returns what a request costs now, and \`creditsUsed\` of a task is what it actually cost.

## Lists
Lists are sorted newest first and return \`limit\` entries (1 to 100, by default 20). To read everything, pass the id of the
last entry that you received as \`after\` until a page is empty: this works at any depth, and entries that are created in the
meantime cause none to be repeated or skipped. \`offset\` (0 to 10,000, by default 0) skips entries, counted from \`after\` if
both are given. An entry that cannot be shown is left out, so that a page may be short; if none of a page can be shown, the
next one takes its place, with its own \`offset\`.

## Tasks
A new task is reported as \`queued\` and then goes \`pending\` → \`processing\` → \`completed\` or \`failed\`; video tasks are
\`submitted\` between \`pending\` and \`processing\`. A status never goes back, and \`completed\` and \`failed\` are final. The
cost is debited when the task is created and refunded in full, once, when it fails. Where the price depends on time, a task whose result is over a second longer than what was paid for fails. Every task ends: an image or
audio task has ${minutesOf('generateImage')} minutes, a video task ${minutesOf('generateCreativeVideo')} and cortes ${minutesOf('generateCortes')}, and a task that exceeds its time fails within two more minutes. Results are stored for ${resultsRetentionDays} days at an unguessable address.

The owner of an account can have the results, or the texts and addresses of requests, erased earlier: 1 to ${retentionDaysLimit} days after a
task was created. Each task keeps to what applied when it was created; \`expiresAt\` of its results says until when they are
stored. Erasing happens within minutes of that time, or after the task and its webhook have ended if that is later. See \`inputErasedAt\` of a task for
what is gone then.

The \`error\` of a failed task has one of these codes:

${taskErrorTable}

## Polling
Prefer webhooks, and poll as a fallback. \`Retry-After\` of the response that created the task, and of each poll while the
task is open, is how many seconds to wait before the next poll: ${pollingSeconds.least} to ${pollingSeconds.most}, estimated from how long tasks of the same type
on the same engine took lately, and from the task's age and progress. Following it takes few polls, and the result is
noticed soon after it exists. Polling earlier is allowed, within the rate limit.

\`GET /api/v1/tasks?ids=…\` polls up to 20 tasks with one request, so that polling all open tasks of an account
counts as a single request against the rate limit. Its \`Retry-After\` is that of the task that is expected to end first.

## Webhooks
A generation with a \`callbackUrl\` sends a webhook there when its task ends. The webhooks \`task.completed\` and
\`task.failed\` describe its body, its headers, how to verify it and when it is retried.

Each attempt is signed (Standard Webhooks, Ed25519). The public keys are a JWK Set at
\`GET ${documentRoutes.listWebhookKeys.path}\` of this server: outside the API, without a token, to be cached for at most
the five minutes that its \`Cache-Control\` allows. Each has \`kid\`, \`use: sig\` and \`alg: EdDSA\`. During a rotation
there are several keys.

## Files
Every field for the URL of a file accepts an https URL of a public host, or the \`url\` of a file that the same account
uploaded with \`createFile\` in the last ${unusedFilesRetentionDays} days. An upload is read in the service's own storage. One that is unknown, expired or
another account's is rejected with the same 400, and so is one that is not uploaded yet. If its form sends other content
after the task was created, the task is checked against what was charged for, and fails if it no longer agrees. A product
or an avatar keeps the image of an upload as it is when it is created; \`images[].url\` of the product is then its permanent address.

## Values
- Ids sort by creation time and are opaque: do not parse them.
- Timestamps are ISO 8601 in UTC with milliseconds: \`2026-11-21T12:00:00.000Z\`.
- Credits are whole numbers.
- Money is a decimal number in the main unit of the \`currency\` beside it: \`49.9\` with \`BRL\` is R$ 49,90.
- Lengths of texts are counted in Unicode code points, and texts are not trimmed.

## Changes
Within v1, new operations, response properties, enumeration values, task types and error codes may be added: ignore
unknown properties, treat an unknown task error like \`PROVIDER_ERROR\` and an unknown error code by its HTTP
status. Nothing is removed and nothing changes its meaning. Whatever will be replaced is marked \`deprecated\` for at least
six months before a new version of the API drops it.

## Errors
${errorTable}

## Retries
A retry with the same \`Idempotency-Key\` never creates or debits twice. Without a key, retry a generation only after 429
and 503, which create nothing. When a connection breaks before the response, retry at once with the same key. In
the OpenAPI document, \`x-repeatable\` marks operations without key that can be repeated all the same, and \`x-retry\` of the
schema \`KnownErrorCode\` says what programs should do about each code.

${retryTable}
`.trim();

const tagDescriptions: Readonly<Record<string, string>> = {
  Public: 'Operations that need no token.',
  Account: 'The account of a token, and its credits.',
  Billing: 'Buying credits, and subscribing to plans.',
  Tasks: 'Reading, listing and canceling tasks.',
  Studio: 'The catalog, products and avatars that marketing videos are made from.',
  Generation: 'Generating media. Each operation debits credits and responds 202 with the id of a task.',
  Piloto: 'The inbox of connected Instagram and Facebook pages: conversations, messages and comments.',
  Files: 'Uploading files that other operations take as inputs.',
};

/** The tags of a document, in the order in which they are first used. @throws {Error} if one has no description. */
export const describeTags = (names: Iterable<string>) =>
  [...new Set(names)].map((name) => {
    const text = tagDescriptions[name];
    if (text === undefined) throw new Error(`the tag ${name} has no description`);
    return { name, description: text };
  });
