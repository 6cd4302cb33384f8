/** A queue of simulated events, ordered by time. */

interface Event {
  readonly at: number;
  readonly order: number;
  readonly happen: (at: number) => void;
}

export interface EventQueue {
  /** Events at the same time run in the order in which they were added. */
  add(at: number, happen: (at: number) => void): void;
  /** Runs all events up to a time, including those added meanwhile. */
  run(until: number): void;
}

const isEarlier = (one: Event, other: Event): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** A binary heap: an event's children are at twice its index, and the next. */
export function eventQueue(): EventQueue {
  const heap: Event[] = [];
  let order = 0;

  /** Inserts an event at an index and moves it up to where it belongs. */
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
