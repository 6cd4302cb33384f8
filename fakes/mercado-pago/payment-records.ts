/** Everything that the sandbox stores: payments, the idempotency keys of their requests, and its port. */
import { savedRecords } from '../saved-records.ts';
import type { FakePayment } from './fake-payments.ts';

export interface PaymentRecords {
  /** The ids, oldest first. */
  ids(): number[];
  find(id: number): FakePayment | undefined;
  put(payment: FakePayment): void;
  /** The payment that was created for an idempotency key. */
  idOf(key: string): number | undefined;
  setKey(key: string, id: number): void;
  port(): number | undefined;
  setPort(port: number): void;
  close(): void;
}

export function paymentRecords(path: string | undefined): PaymentRecords {
  const saved = savedRecords<FakePayment | number>(path);
  const numberAt = (name: string): number | undefined => {
    const record = saved.byId.get(name);
    return typeof record === 'number' ? record : undefined;
  };
  return {
    ids: () => [...saved.byId.values()].flatMap((record) => (typeof record === 'number' ? [] : [record.id])),
    find(id) {
      const record = saved.byId.get(`payment ${id}`);
      return typeof record === 'number' ? undefined : record;
    },
    put: (payment) => saved.put(`payment ${payment.id}`, payment),
    idOf: (key) => numberAt(`key ${key}`),
    setKey: (key, id) => saved.put(`key ${key}`, id),
    port: () => numberAt('port'),
    setPort: (port) => saved.put('port', port),
    close: () => saved.close(),
  };
}
