/** Expressions of operators: what they make of an input, and what is said when they can not. */
import { describe, expect, test } from 'vitest';
import { mapInput } from '../../shared/platform/map-input.ts';

const input = { prompt: 'a secret prompt', count: 2, pictures: ['a', 'b'] };

const faultOf = async (expression: string): Promise<Error> => {
  const fault: unknown = await mapInput(expression, input).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(Error);
  return fault as Error;
};

test('an expression makes an object, in which what there is not is left out', async () => {
  const made = await mapInput('{ "text": prompt, "n": count, "none": missing, "all": $append(pictures, "c") }', input);
  expect(made).toStrictEqual({ text: 'a secret prompt', n: 2, all: ['a', 'b', 'c'] });
});

describe('an expression that fails is told by its code, and nothing of the input', () => {
  test.for(['{ "a": ', '$uppercase(count)', '$error(prompt)', '$lookup(prompt)', 'prompt + 1', '$number(prompt)'])(
    '%s',
    async (expression) => {
      const { name, message, stack } = await faultOf(expression);
      expect(name).toBe('MappingFailed');
      expect(`${message}${stack}`).not.toContain('secret');
    },
  );

  test.for(['prompt', 'pictures', 'count', 'missing', '[{ "a": 1 }]'])(
    '%s, which makes no object',
    async (expression) => {
      expect((await faultOf(expression)).message).toBe('a mapping makes no object');
    },
  );
});
