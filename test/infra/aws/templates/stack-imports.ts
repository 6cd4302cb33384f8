/** The values that stacks import from each other. */
import { expect, test } from 'vitest';
import { synthesize } from '../synthesized.ts';

test('no stack imports functions or alarms, so that they can be removed, except on an emulator', () => {
  const imports = (stage: string) => [
    ...JSON.stringify(
      synthesize(stage)
        .stacks(stage)
        .map(({ resources }) => resources),
    ).matchAll(/"Fn::ImportValue":"[^"]*:ExportsOutput[A-Za-z]*?(Functions|Alarms)/g),
  ];
  expect(imports('prod')).toEqual([]);
  expect(imports('dev')).toEqual([]);
  expect(imports('local')).not.toEqual([]);
}, 240_000);
