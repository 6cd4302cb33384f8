import { expect, test } from 'vitest';
import { type DayFigures, figureDay, paymentText } from '../../dashboard/operate/charts/figure-days.ts';
import { dollars, percent, reais } from '../../dashboard/operate/money.ts';

const row = {
  name: 'generateImage',
  email: null,
  tasks: 10,
  failed: 6,
  failures: { CANCELED: 4, PROVIDER_ERROR: 2 },
  credits: 16,
  refunded: 24,
  worthMicros: 320_000,
  costMicros: 480_000,
  marginMicros: -160_000,
};

test('a day adds up its rows, and canceled tasks are not failures', () => {
  const voice = { ...row, name: 'generateVoice', failed: 1, failures: { INPUT_INVALID: 1 } };
  const totals = { creditsSold: 1 } as DayFigures['totals'];
  expect(figureDay({ day: '2030-01-01', by: 'operation', rows: [row, voice], totals })).toEqual({
    day: '2030-01-01',
    completed: 4 + 9,
    canceled: 4,
    failures: { PROVIDER_ERROR: 2, INPUT_INVALID: 1 },
    creditsUsed: 32,
    worthMicros: 640_000,
    costMicros: 960_000,
    totals,
  });
});

test('money is written with its currency, and a margin in percent', () => {
  expect([
    reais(14_990),
    dollars(760_000),
    dollars(7_595_000),
    dollars(21_700),
    dollars(-160_000),
    dollars(null),
  ]).toEqual(['R$\u00A0149.90', 'US$\u00A00.76', 'US$\u00A07.60', 'US$\u00A00.0217', 'US$\u00A0−0.16', '–']);
  expect([percent(-160_000, 320_000), percent(1, 3), percent(-1, 0)]).toEqual(['−50%', '33%', '–']);
  expect(paymentText('pack mercado-pago')).toBe('Packs, mercado-pago');
});
