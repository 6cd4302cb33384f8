/** The service's side of its process: reads its start options, announces that it is ready and serves orders. */
import { type Numbered, type Report, startVariable } from './orders.ts';

const report = (message: Report): void => void process.send?.(message);

/** What the test has started the process with. */
export const startOf = (): unknown => JSON.parse(process.env[startVariable] ?? 'null');

export const announceReady = (ready: unknown): void => report({ ready });

/** Ends the process with the reason why it cannot go on. */
export function exitWith(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

/** `end` is called when the test is gone, or wants the process gone. */
export function serveOrders(obey: (order: never) => Promise<unknown>, end: () => void): void {
  process.on('message', ({ id, order }: Numbered) => {
    obey(order as never).then(
      (result) => report({ id, result }),
      (error: Error) => report({ id, error: error.message }),
    );
  });
  process.once('disconnect', end);
}
