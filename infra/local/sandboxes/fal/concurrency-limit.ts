/** Lets so many pass at once; the others wait in order. */

export interface Turnstile<Comer> {
  /** Resolves with true when it is one's turn, and with false when the signal aborts first. */
  enter(comer: Comer, signal: AbortSignal): Promise<boolean>;
  /** To be called once by everybody whose turn it was. */
  leave(): void;
  /** How many wait before this one; 0 also for one that does not wait. */
  before(comer: Comer): number;
}

interface Waiter<Comer> {
  readonly comer: Comer;
  readonly signal: AbortSignal;
  readonly letIn: () => void;
}

export const turnstile = <Comer>(size: number): Turnstile<Comer> => {
  let waiting: Waiter<Comer>[] = [];
  let inside = 0;
  const letIn = () => {
    waiting = waiting.filter(({ signal }) => !signal.aborted);
    for (const waiter of waiting.splice(0, size - inside)) {
      inside += 1;
      waiter.letIn();
    }
  };
  return {
    enter(comer, signal) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      if (signal.aborted) return Promise.resolve(false);
      signal.addEventListener('abort', () => resolve(false), { once: true });
      waiting.push({ comer, signal, letIn: () => resolve(true) });
      letIn();
      return promise;
    },
    leave() {
      inside -= 1;
      letIn();
    },
    before: (comer) =>
      Math.max(
        0,
        waiting.filter(({ signal }) => !signal.aborted).findIndex((waiter) => waiter.comer === comer),
      ),
  };
};
