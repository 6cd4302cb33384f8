/**
 * Assigns distinct times, in list order, to messages sent within one second, because social networks' lists have whole
 * seconds.
 */

interface Listed {
  readonly messageId: string;
  readonly createdAt: number;
}

const secondMs = 1000;

const secondOf = (time: number): number => time - (time % secondMs);

/**
 * The time for a message: after the older message, if both were sent within one second; otherwise at the beginning or
 * in the middle of the second.
 */
function timeAfter(older: number | undefined, createdAt: number, hasOlder: boolean): number {
  if (secondOf(createdAt) !== createdAt) return createdAt;
  if (older === undefined) return hasOlder ? createdAt + secondMs / 2 : createdAt;
  return secondOf(older) === createdAt ? Math.min(older + 1, createdAt + secondMs - 1) : createdAt;
}

/**
 * Assigns a time within its second to each message of a chunk of a list, newest first; stored messages keep theirs. If
 * the list continues, times are left free for older messages sent within the same second.
 */
export function timesInOrder<Message extends Listed>(
  messages: readonly Message[],
  storedAt: (messageId: string) => number | undefined,
  isContinued: boolean,
): Message[] {
  let older: number | undefined;
  const oldestFirst = messages.toReversed().map((message) => {
    const createdAt = storedAt(message.messageId) ?? timeAfter(older, message.createdAt, isContinued);
    older = createdAt;
    return { ...message, createdAt };
  });
  return oldestFirst.toReversed();
}
