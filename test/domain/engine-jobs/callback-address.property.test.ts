import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { callbackAddress, jobOfCallbackAddress } from '../../../shared/domain/engine-jobs/callback-address.ts';

const job = fc.record({
  taskId: fc.uuid({ version: 7 }),
  name: fc.constantFrom('make', 'transcribe', 'cut-01', 'cut-02'),
});

test('a callback address is valid only for its own job, engine and key', () => {
  fc.assert(
    fc.property(job, (given) => {
      const address = callbackAddress('key', 'offline', given);
      expect(jobOfCallbackAddress('key', 'offline', address)).toEqual(given);
      expect(jobOfCallbackAddress('other key', 'offline', address)).toBeUndefined();
      expect(jobOfCallbackAddress('key', 'fal', address)).toBeUndefined();
    }),
  );
});

test('a callback address needs no escaping in the path of a URL', () => {
  fc.assert(
    fc.property(job, (given) => {
      expect(callbackAddress('key', 'offline', given)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{43}$/);
    }),
  );
});

test('the callback address of one job cannot be turned into the address of another', () => {
  fc.assert(
    fc.property(job, job, (one, other) => {
      const [taskId, name, seal] = callbackAddress('key', 'offline', one).split('.');
      for (const mixed of [`${other.taskId}.${name}.${seal}`, `${taskId}.${other.name}.${seal}`]) {
        const found = jobOfCallbackAddress('key', 'offline', mixed);
        expect(found === undefined || mixed === callbackAddress('key', 'offline', one)).toBe(true);
      }
    }),
  );
});

test('no modified, truncated, extended or invented callback address is valid', () => {
  fc.assert(
    fc.property(job, fc.string(), fc.nat(80), (given, noise, position) => {
      const address = callbackAddress('key', 'offline', given);
      const { taskId, name } = given;
      const changed = [
        noise,
        `${address}${noise || '.'}`,
        address.slice(0, position % address.length),
        `${taskId}.${name}.`,
      ];
      for (const other of changed) expect(jobOfCallbackAddress('key', 'offline', other)).toBeUndefined();
    }),
  );
});
