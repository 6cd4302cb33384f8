/** Lists of networks tell times in whole seconds: messages of the same second keep the order in which they are listed. */

interface Listed {
  readonly messageId: string;
  readonly createdAt: number;
}

const secondMs = 1000;

const secondOf = (time: number): number => time - (time % secondMs);

/** After the older one, if that is of the same second; otherwise at the beginning of the second, or in its middle. */
function timeAfter(older: number | undefined, createdAt: number, hasOlder: boolean): number {
  if (secondOf(createdAt) !== createdAt) return createdAt;
  if (older === undefined) return hasOlder ? createdAt + secondMs / 2 : createdAt;
  return secondOf(older) === createdAt ? Math.min(older + 1, createdAt + secondMs - 1) : createdAt;
}

/**
 * The messages of a part of a list, newest first, each with a time of its own within its second; those that are stored
 * keep theirs. If the list goes on, what follows may be of the same second, and finds room before them.
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
