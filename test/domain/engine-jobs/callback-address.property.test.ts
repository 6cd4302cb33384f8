import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { callbackAddress, taskOfCallbackAddress } from '../../../shared/domain/engine-jobs/callback-address.ts';

const id = fc.uuid({ version: 7 });

test('an address names its task to its own engine and key, and to no other', () => {
  fc.assert(
    fc.property(id, (taskId) => {
      const address = callbackAddress('key', 'offline', taskId);
      expect(taskOfCallbackAddress('key', 'offline', address)).toBe(taskId);
      expect(taskOfCallbackAddress('other key', 'offline', address)).toBeUndefined();
      expect(taskOfCallbackAddress('key', 'fal', address)).toBeUndefined();
    }),
  );
});

test('no changed, shortened, lengthened or invented address names a task', () => {
  fc.assert(
    fc.property(id, fc.string(), fc.nat(80), (taskId, noise, position) => {
      const address = callbackAddress('key', 'offline', taskId);
      const changed = [noise, `${address}${noise || '.'}`, address.slice(0, position % address.length), `${taskId}.`];
      for (const other of changed) expect(taskOfCallbackAddress('key', 'offline', other)).toBeUndefined();
    }),
  );
});
