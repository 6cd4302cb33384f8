import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { idempotencyDigest } from '../../shared/domain/idempotency/idempotency.ts';
import { allOpenShards, checkTime, openShardOf } from '../../shared/domain/index-keys.ts';
import {
  accountKey,
  caseKey,
  catalogKey,
  deliveryKey,
  eventKey,
  idempotencyKey,
  identityKey,
  invitationKey,
  invoiceIdOf,
  invoiceKey,
  jobKey,
  ledgerKey,
  loginKey,
  orderIdOf,
  orderKey,
  sessionKey,
  signUpKey,
  subscriptionKey,
  subscriptionOf,
  taskIdOf,
  taskKey,
  tokenKey,
} from '../../shared/domain/keys.ts';

const id = fc.uuid({ version: 7 });
const text = ({ pk, sk }: { pk: string; sk: string }) => `${pk}|${sk}`;

test('rows of different types or ids never have the same key', () => {
  fc.assert(
    fc.property(id, id, fc.integer({ min: 1, max: 999 }), (one, other, attempt) => {
      fc.pre(one !== other);
      const keys = [
        accountKey(one),
        tokenKey(one),
        taskKey(one),
        jobKey(one, 'make'),
        jobKey(one, 'cut-01'),
        deliveryKey(one, attempt),
        ledgerKey(one, other),
        idempotencyKey(one, 'generateVoice', other),
        catalogKey('plans'),
        orderKey(one),
        caseKey(one),
        subscriptionKey(one, other),
        subscriptionKey(other, one),
        invoiceKey(one, other),
        invoiceKey(other, one),
        sessionKey(one),
        loginKey(one),
        identityKey(one),
        invitationKey(one),
        signUpKey(one),
        eventKey('gateway', one, other),
        eventKey('gateway', other, one),
      ].map(text);
      expect(new Set(keys).size).toBe(keys.length);
      expect(text(taskKey(one))).not.toBe(text(taskKey(other)));
    }),
  );
});

test('an idempotency key cannot collide with one of another account or operation, whatever it contains', () => {
  fc.assert(
    fc.property(id, id, fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other, key, secondKey) => {
      fc.pre(one !== other);
      const keyOf = (account: string, operation: string, given: string) =>
        text(idempotencyKey(account, operation, idempotencyDigest(given)));
      const keys = [keyOf(one, 'a', key), keyOf(other, 'a', key), keyOf(one, 'b', key)];
      if (key !== secondKey) keys.push(keyOf(one, 'a', secondKey));
      expect(new Set(keys).size).toBe(keys.length);
    }),
  );
});

test('keys of delivery attempts sort by number, and keys of checks sort by time', () => {
  fc.assert(
    fc.property(id, fc.integer({ min: 1, max: 998 }), fc.nat(10 ** 12), fc.nat(10 ** 12), (task, attempt, a, b) => {
      expect(deliveryKey(task, attempt).sk < deliveryKey(task, attempt + 1).sk).toBe(true);
      expect(checkTime(a) < checkTime(b)).toBe(a < b);
    }),
  );
});

test('a task’s id, and always the same shard of open tasks, can be derived from its key', () => {
  fc.assert(
    fc.property(id, (task) => {
      expect(taskIdOf(taskKey(task))).toBe(task);
      expect(orderIdOf(orderKey(task))).toBe(task);
      expect(invoiceIdOf(invoiceKey('order', task))).toBe(task);
      expect(subscriptionOf(subscriptionKey(task, 'order'))).toEqual({ accountId: task, subscriptionId: 'order' });
      expect(allOpenShards).toContain(openShardOf(task));
    }),
  );
});
