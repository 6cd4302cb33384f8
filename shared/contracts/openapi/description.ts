/** What a reader of the OpenAPI document must know of all operations at once. */
import { errors, taskErrors } from '../errors.ts';
import { wellKnownRoutes } from '../well-known.ts';

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

export const description = `
The API is called from server to server: no answer carries a CORS header, and a token must never reach a browser. A
generation answers at once with the id of a task: follow the task with \`GET /api/v1/tasks/{taskId}\`, or give a
\`callbackUrl\` and be told. What goes beyond the v1 specification is marked \`x-extension\`.

## Answers
Every success is \`{ "success": true, "data": { … } }\` and every refusal
\`{ "success": false, "error": { "code": "…", "message": "…" } }\`, whoever makes it, unknown paths included. Decide by
\`code\`; \`message\` is for people. Every answer carries \`X-Request-Id\`, and \`Cache-Control: no-store\` unless stated.

Objects in answers are closed: they have the declared properties and no others.

## Requests
Bodies are JSON objects (\`Content-Type: application/json\`, UTF-8) of at most 256 KiB. Unknown properties of a body and
unknown query names are accepted and ignored. A property that is present but \`null\` is refused unless it is declared
nullable. A query value that is out of range, empty, repeated or of another form is refused, never corrected.
\`HEAD\`, \`OPTIONS\` and paths with a trailing slash do not exist (404).

A refused request leaves nothing behind: no debit, no task, no stored answer.

## Authentication
\`Authorization: Bearer <token>\`. A token is \`av_\` and 64 lower-case hex characters, the last 8 of which are the CRC-32 of
the 56 before them. A missing, malformed, unknown, expired or revoked token is 401 \`UNAUTHORIZED\`; a token without the
scope that the operation needs is 403 \`FORBIDDEN\`, and the message names the scope. Tokens are made and revoked by the
account's owner; the API has no operations for it. What belongs to another account answers like what does not exist: 404.

## Rate limit
Each token has 60 requests in any window of 60 seconds, counted exactly. \`RateLimit-Policy: "token";q=60;w=60\` states
the limit. \`RateLimit: "token";r=12;t=34\` says that \`r\` more requests are admitted right now and that in \`t\` seconds
the oldest counted request leaves the window and makes room for one more (it is not the time until all 60 are back).
Beyond the limit the answer is 429 \`RATE_LIMITED\`; \`Retry-After\` is the number of seconds to wait, rounded up. A
request refused for this reason does not count, every other one does, replays too. To follow many tasks, ask for up to 20 of them at once with \`GET /api/v1/tasks?ids=…\`.

Besides, an account has at most 20 open tasks: one more is 429 \`MAX_CONCURRENT_TASKS\`.

## Idempotency
Operations that create something take an \`Idempotency-Key\` of 1 to 128 characters. For 24 hours the same key of the same
account and operation gets the first answer again, whatever the body as long as it is valid, with \`Idempotent-Replayed: true\`; nothing is
created or debited again. Where the body differs from the first one, \`Idempotent-Body-Mismatch: true\` says so. Only
answers with status 2xx are kept, so that a refused request can be mended and sent again with the same key. A task that
fails later does not free its key.

## Dry run
\`X-Dry-Run: true\` on a generation runs every check and answers 200 with the cost and the balance. Nothing is created,
debited or stored, and the \`Idempotency-Key\` plays no part.

## Lists
\`limit\` (1 to 100, by default 20) and \`offset\` (0 to 10000, by default 0), newest first. Increase \`offset\` by \`limit\`
until the list is empty.

## Tasks
A new task is answered as \`queued\` and then goes \`pending\` → \`processing\` → \`completed\` or \`failed\`; video tasks are
\`submitted\` between \`pending\` and \`processing\`. A status never goes back, and \`completed\` and \`failed\` are final. The
cost is debited when the task is created and refunded in full, once, when it fails. Every task ends: image and audio
after 10 minutes at most, video after 30, cortes after 60. Results are kept 90 days at an address that nobody can guess.

The \`error\` of a failed task has one of these codes:

${taskErrorTable}

## Webhooks
A generation with a \`callbackUrl\` is told of there when its task ends. See the webhooks \`task.completed\` and
\`task.failed\` for what arrives, how to recognize it and when it is repeated.

Each attempt is signed (Standard Webhooks, Ed25519). The public keys are a JWK Set at
\`GET ${wellKnownRoutes.listWebhookKeys.path}\` of this server: outside the API, without a token, to be kept for at most
the five minutes that its \`Cache-Control\` allows. Each has \`kid\`, \`use: sig\` and \`alg: EdDSA\`. While keys are rotated
there are several.

## Values
- Ids sort by creation time and are opaque: do not take them apart.
- Timestamps are ISO 8601 in UTC with milliseconds: \`2026-11-21T12:00:00.000Z\`.
- Credits are whole numbers.
- Money is a decimal number in the main unit of the \`currency\` beside it: \`49.9\` with \`BRL\` is R$ 49,90.
- Lengths of texts are counted in Unicode code points, and texts are not trimmed.

## Errors
${errorTable}
`.trim();

const tagDescriptions: Readonly<Record<string, string>> = {
  Public: 'What anybody may ask, without a token.',
  Account: 'The account that a token belongs to, and its credits.',
  Tasks: 'Following, listing and canceling what generations became.',
  Generation: 'Creating media. Each operation debits credits and answers 202 with the id of a task.',
};

/** The tags of a document, in the order in which they are first used. @throws {Error} where one has no description. */
export const describeTags = (names: Iterable<string>) =>
  [...new Set(names)].map((name) => {
    const text = tagDescriptions[name];
    if (text === undefined) throw new Error(`the tag ${name} has no description`);
    return { name, description: text };
  });
