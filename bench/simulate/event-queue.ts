/** What is going to happen, in the order of its time. */

interface Event {
  readonly at: number;
  readonly order: number;
  readonly happen: (at: number) => void;
}

export interface EventQueue {
  /** Of two events at the same time, the one that was added first comes first. */
  add(at: number, happen: (at: number) => void): void;
  /** Lets everything happen up to a time, also what is added meanwhile. */
  run(until: number): void;
}

const isEarlier = (one: Event, other: Event): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** A binary heap: an event's successors are at twice its place, and one further. */
export function eventQueue(): EventQueue {
  const heap: Event[] = [];
  let order = 0;

  /** Puts an event at a place, or as far above it as it belongs. */
  function rise(event: Event, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above];
      if (!parent || isEarlier(parent, event)) break;
      heap[place] = parent;
      place = above;
    }
    heap[place] = event;
  }

  function sink(event: Event): void {
    let place = 0;
    for (;;) {
      const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]];
      const next = left && right && isEarlier(right, left) ? right : left;
      if (!next || isEarlier(event, next)) break;
      heap[place] = next;
      place = 2 * place + (next === right ? 2 : 1);
    }
    heap[place] = event;
  }

  return {
    add(at, happen) {
      rise({ at, order: order++, happen }, heap.length);
    },
    run(until) {
      for (let first = heap[0]; first && first.at <= until; first = heap[0]) {
        const last = heap.pop();
        if (last && heap.length > 0) sink(last);
        first.happen(first.at);
      }
    },
  };
}
