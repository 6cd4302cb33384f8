/** Values at and just beyond the limits of a specified field. */
import type { Limit } from './specified-operation.ts';

export interface Samples {
  readonly accepted: readonly unknown[];
  readonly rejected: readonly unknown[];
}

const taskId = '0193a5c4-8f0f-7aa2-b1c3-1d2e3f405162';

const inboxId = 'Jx4cF3mVw2bq9RzKpLs1Tg';

/** A character with one code point and two UTF-16 units. */
const emoji = '😀';
const lonely = emoji.charAt(0);

/** A text that is longer than any limit. */
const veryLong = 20_000;

const text = (from: number, to: number | undefined): Samples => ({
  accepted: ['a'.repeat(from), 'a'.repeat(to ?? veryLong), emoji.repeat(to ?? veryLong), ' '.repeat(from)],
  rejected: [
    ...(from === 0 ? [] : ['a'.repeat(from - 1)]),
    ...(to === undefined ? [] : ['a'.repeat(to + 1), emoji.repeat(to + 1)]),
    lonely,
    null,
    5,
    true,
    ['a'],
    {},
  ],
});

const number = (from: number, to: number): Samples => ({
  accepted: [from, to, (from + to) / 2],
  rejected: [from - 0.001, to + 0.001, Number.NaN, Number.POSITIVE_INFINITY, String(from), null, true, [from]],
});

const positiveNumber: Samples = {
  accepted: [Number.MIN_VALUE, 1e-40, 0.1, 10_800],
  rejected: [0, -0, -1, Number.NaN, '1', null, true, [1]],
};

const integer = (from: number, to = Number.MAX_SAFE_INTEGER): Samples => ({
  accepted: [from, to],
  rejected: [from - 1, to + 1, from + 0.5, String(from), Number.NaN, null, true, [from]],
});

const boolean: Samples = { accepted: [true, false], rejected: ['true', 'false', 0, 1, null, []] };

const oneOfNumbers = (values: readonly number[]): Samples => ({
  accepted: values,
  rejected: [0, 1, 3, Math.max(...values) + 1, String(values[0]), null, true],
});

const background: Samples = {
  accepted: ['transparent', '#ffcc00', '#FFCC00', '#000000'],
  rejected: ['Transparent', 'white', '#fff', '#ffcc0', '#ffcc000', '#gg0000', 'ffcc00', '', null, 0],
};

const queryInteger = (from: number, to: number): Samples => ({
  accepted: [String(from), String(to)],
  rejected: [String(from - 1), String(to + 1), `${to}.0`, `${from + 1}e0`, ` ${to}`, `+${to}`, '', 'ten', '0x10', '٣'],
});

const oneOf = (values: readonly string[], anyCase: boolean): Samples => {
  const upperCase = values.map((value) => value.toUpperCase()).filter((value) => !values.includes(value));
  return {
    accepted: anyCase ? [...values, ...upperCase] : values,
    rejected: [...(anyCase ? [] : upperCase), '', ` ${values[0]}`, `${values[0]}x`, null, 5],
  };
};

const url: Samples = {
  accepted: ['https://example.com/hook', `https://example.com/${'a'.repeat(2028)}`],
  rejected: ['', 'example.com', `https://example.com/${'a'.repeat(2029)}`, null, 5, {}],
};

const urls = (from: number, to: number): Samples => {
  const list = (length: number) => Array.from({ length }, () => 'https://example.com/a.png');
  return {
    accepted: [list(from), list(to)],
    rejected: [...(from === 0 ? [] : [list(from - 1)]), list(to + 1), 'https://example.com/a.png', null, {}],
  };
};

const image = 'https://example.com/a.png';

const productImages = (from: number, to: number): Samples => ({
  accepted: [
    Array.from({ length: from }, () => image),
    Array.from({ length: to }, () => ({ url: image, role: 'front' })),
    [image, { url: image }],
  ],
  rejected: [
    Array.from({ length: from - 1 }, () => image),
    Array.from({ length: to + 1 }, () => image),
    image,
    null,
    {},
  ],
});

const batchItems = (from: number, to: number): Samples => {
  const item = { operation: 'generateVoice', body: {} };
  const items = (length: number, one: unknown = item) => Array.from({ length }, () => one);
  const named = (name: string, length: number) => [{ ...item, [name]: emoji.repeat(length) }];
  return {
    accepted: [items(from), items(to), named('clientReference', 128), named('idempotencyKey', 128)],
    rejected: [
      items(from - 1),
      items(to + 1),
      ...[null, 'generateVoice', { body: {} }, { operation: 'generateVoice' }].map((one) => [one]),
      ...['voice', 'generateBatch', 'getTask', ''].map((operation) => [{ ...item, operation }]),
      ...[null, [], 'text'].map((body) => [{ ...item, body }]),
      ...['clientReference', 'idempotencyKey'].flatMap((name) => [named(name, 0), named(name, 129)]),
      item,
      null,
    ],
  };
};

const fileIds = (from: number, to: number, longest: number): Samples => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
  return {
    accepted: [ids(from), ids(to), ['a'.repeat(longest)]],
    rejected: [ids(from - 1), ids(to + 1), ['a', 'a'], 'a', null, {}],
  };
};

const payer: Samples = {
  accepted: [
    { name: 'Ana Souza', taxId: '529.982.247-25', email: 'ana@example.com' },
    { name: 'A', taxId: '12ABC34501DE35', email: 'a@b.co', unknown: true },
  ],
  rejected: ['ana', 5, true, null, []],
};

const texts = (from: number, to: number, longest: number): Samples => {
  const some = (count: number) => Array.from({ length: count }, (_, index) => `text-${index}`);
  return {
    accepted: [some(from), some(to), ['a'.repeat(longest)]],
    rejected: [some(from - 1), some(to + 1), 'text-1', null],
  };
};

const taskIds = (to: number): Samples => ({
  accepted: [taskId, Array.from({ length: to }, () => taskId).join(',')],
  rejected: [Array.from({ length: to + 1 }, () => taskId).join(','), '', `${taskId},`, 'abc', `${taskId}, ${taskId}`],
});

export function samplesOf(limit: Limit): Samples {
  switch (limit.kind) {
    case 'text':
      return text(limit.from, limit.to);
    case 'number':
      return number(limit.from, limit.to);
    case 'positive number':
      return positiveNumber;
    case 'query integer':
      return queryInteger(limit.from, limit.to);
    case 'integer':
      return integer(limit.from, limit.to);
    case 'boolean':
      return boolean;
    case 'one of numbers':
      return oneOfNumbers(limit.values);
    case 'background':
      return background;
    case 'urls':
      return urls(limit.from ?? 0, limit.to);
    case 'product images':
      return productImages(limit.from, limit.to);
    case 'batch items':
      return batchItems(limit.from, limit.to);
    case 'texts':
      return texts(limit.from, limit.to, limit.longest);
    case 'file ids':
      return fileIds(limit.from, limit.to, limit.longest);
    case 'one of':
      return oneOf(limit.values, limit.anyCase ?? false);
    case 'url':
      return url;
    case 'payer':
      return payer;
    case 'inbox id':
      return { accepted: [inboxId], rejected: ['', 'abc', `${inboxId}0`, ` ${inboxId}`, inboxId.replace('J', '+')] };
    case 'task id':
    case 'order id':
    case 'file id':
    case 'sortable id':
      return { accepted: [taskId], rejected: ['', 'abc', taskId.toUpperCase(), `${taskId}0`, ` ${taskId}`] };
    case 'digest':
      return {
        accepted: ['0af1'.repeat(16), '0AF1'.repeat(16)],
        rejected: [
          '',
          'abc',
          '0af1'.repeat(16).slice(1),
          `${'0af1'.repeat(16)}0`,
          'g'.repeat(64),
          ` ${'0af1'.repeat(16)}`,
        ],
      };
    case 'day':
      return {
        accepted: ['2026-11-21', '2028-02-29'],
        rejected: ['', 'today', '2026-02-30', '2026-11-21T00:00:00Z', ' 2026-11-21'],
      };
    default:
      return taskIds(limit.to);
  }
}
