import { describe, expect, it } from 'vitest';
import {
  parseOfflineEngineFailure,
  parseOfflineEngineLatencyMs,
} from '../../offline-engine/offline-engine-settings.ts';

describe('the settings of the offline engine', () => {
  it('default to no simulated failure and no latency', () => {
    expect([undefined, '', 'none'].map(parseOfflineEngineFailure)).toEqual(['none', 'none', 'none']);
    expect([undefined, '', '0'].map(parseOfflineEngineLatencyMs)).toEqual([0, 0, 0]);
  });

  it('accept every kind of simulated failure and any latency up to ten minutes', () => {
    const failures = ['reject', 'fail', 'hang', 'lose-callback'];
    expect(failures.map(parseOfflineEngineFailure)).toEqual(failures);
    expect(['1', '1500', '600000'].map(parseOfflineEngineLatencyMs)).toEqual([1, 1500, 600_000]);
  });

  it('are rejected if they are invalid, with a message that names the variable and the accepted values', () => {
    expect(() => parseOfflineEngineFailure('refused')).toThrow(
      'OFFLINE_ENGINE_FAILURE must be one of none, reject, fail, hang, lose-callback, but is "refused".',
    );
    for (const text of ['-1', '1.5', '1e3', 'fast', ' 5', '600001', '9999999999']) {
      expect(() => parseOfflineEngineLatencyMs(text)).toThrow(
        `OFFLINE_ENGINE_LATENCY_MS must be an integer number of milliseconds from 0 to 600000, but is "${text}".`,
      );
    }
  });
});
