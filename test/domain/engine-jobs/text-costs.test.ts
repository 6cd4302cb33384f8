/** Recording what language models charge must not replace the result of the work that is paid for. */
import { describe, expect, test } from 'vitest';
import { chargingTexts } from '../../../shared/domain/engine-jobs/text-costs.ts';
import type { TextUse } from '../../../shared/text-writers/text-writer.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';

const use: TextUse = { engine: 'fal', readTokens: 1, writtenTokens: 1, statedMicros: 7 };
const throttled = Object.assign(new Error('of account 12'), { name: 'ThrottlingException' });
const fails = () => Promise.reject(throttled);

describe.each([
  ['the prices cannot be read', fails, async () => undefined],
  ['the cost cannot be written', async () => ({ prices: {}, creditMicros: 1 }) as never, fails],
])('if %s,', (_, read, record) => {
  const charging = (work: () => Promise<string>) => {
    const logger = new RecordingLogger();
    const needs = { catalog: { read } as never, logger };
    const result = chargingTexts(
      needs,
      (onUse) => {
        onUse(use);
        return work();
      },
      record,
    );
    return { result, logger };
  };
  const logged = [{ message: 'cost of texts not recorded', answers: 1, reason: 'ThrottlingException' }];

  test('the texts are still used, and the log says so without content', async () => {
    const { logger, result } = charging(async () => 'texts');
    expect(await result).toBe('texts');
    expect(logger.errors).toEqual(logged);
  });

  test('an error of the work is still the one that is thrown', async () => {
    const bug = new TypeError('a bug');
    const { logger, result } = charging(() => Promise.reject(bug));
    await expect(result).rejects.toBe(bug);
    expect(logger.errors).toEqual(logged);
  });
});
