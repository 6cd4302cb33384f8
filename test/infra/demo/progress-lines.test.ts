import { expect, it } from 'vitest';
import { type Progress, progressLines } from '../../../infra/demo/progress-lines.ts';
import { capturedStream } from './captured-stream.ts';

const at = (percent: number): Progress[] => [
  { name: 'portuguese', status: 'processing', percent },
  { name: 'english', status: 'pending', percent: 0 },
];

it('the demo updates its progress lines in place on a terminal, one for each task', () => {
  const { stream, text } = capturedStream({ isTTY: true });
  const lines = progressLines(stream, '');
  lines.show(at(10));
  lines.show(at(50));

  const [first = '', second = ''] = text().split('\u001b[2A\u001b[0J');
  expect(first).toMatch(/^portuguese {2}█{3}░{27} {3}10 % {2}processing\nenglish {5}░{30} {4}0 % {2}pending\n$/);
  expect(second).toMatch(/^portuguese {2}█{15}░{15} {3}50 % {2}processing\nenglish /);
});

it('without a terminal, the demo writes the changed lines, two tasks per line', () => {
  const { stream, text } = capturedStream({ isTTY: false });
  const lines = progressLines(stream, '');
  const three = (percent: number) => [...at(50), { name: 'french', status: 'processing', percent }];
  for (const percent of [0, 20]) lines.show(three(percent));

  expect(text().split('\n')).toEqual([
    'portuguese  processing  50 %      english     pending      0 %',
    'french      processing   0 %',
    'french      processing  20 %',
    '',
  ]);
});

it('without a terminal, the demo writes a line for each change', () => {
  const { stream, text } = capturedStream({ isTTY: false });
  const lines = progressLines(stream, '');
  for (const percent of [10, 10, 50]) lines.show(at(percent));

  expect(text()).toBe(
    'portuguese  processing  10 %      english     pending      0 %\n' +
      'portuguese  processing  50 %      english     pending      0 %\n',
  );
});
