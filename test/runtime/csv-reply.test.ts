/** Lists as tables, for clients that accept CSV. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { successBody } from '../../shared/contracts/envelope.ts';
import { inAcceptedForm } from '../../shared/runtime/csv-reply.ts';

const csv = () => ['name', 'count', 'note'];
const success = { status: 200, rows: 'rows', csv, data: z.unknown() } as const;

const accepting = (...accept: string[]) =>
  ({ multiValueHeaders: { Accept: accept } }) as unknown as APIGatewayProxyEvent;
const replyWith = (...rows: readonly object[]) => ({ status: 200, body: successBody({ rows }) });
const tableOf = (...rows: readonly object[]) =>
  inAcceptedForm({ success }, {}, accepting('text/csv'), replyWith(...rows)).body;

/** Reads a table as RFC 4180 defines it. */
function cellsOf(table: string): string[][] {
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  const lines: string[][] = [[]];
  for (const [, quoted, plain = '', end] of table.matchAll(cells)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

describe('a CSV table', () => {
  test('quotes values that contain a separator, a quotation mark or a line break, and leaves absent ones empty', () => {
    const rows = [
      { name: 'plain', count: 1, note: 'x' },
      { name: 'a, "b"\nc', count: null },
    ];
    expect(tableOf(...rows)).toBe('name,count,note\r\nplain,1,x\r\n"a, ""b""\nc",,\r\n');
  });

  test('has an apostrophe before texts that spreadsheets would run as formulas, and has numbers unchanged', () => {
    const names = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '=A1,"x"', 'a=1', "'=1"];
    const cells = cellsOf(tableOf(...names.map((name) => ({ name, count: -1 }))));
    const safe = ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\t=1", "'\r=1", "'\n=1", `'=A1,"x"`, 'a=1', "'=1"];
    expect(cells.slice(1)).toEqual(safe.map((name) => [name, '-1', '']));
  });

  test('can be read back, whatever its texts contain', () => {
    const text = fc
      .array(fc.constantFrom('"', ',', '\r', '\n', '=', 'é', ' '), { maxLength: 8 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(fc.record({ name: text, count: fc.integer(), note: text }), { maxLength: 5 }), (rows) => {
        const safe = (value: string) => (/^[=\r\n]/.test(value) ? `'${value}` : value);
        const expected = rows.map(({ name, count, note }) => [safe(name), String(count), safe(note)]);
        expect(cellsOf(tableOf(...rows))).toEqual([csv(), ...expected]);
      }),
    );
  });
});

test('only a request that accepts text/csv with a weight above zero gets a CSV table', () => {
  const reply = replyWith({ name: 'a', count: 1 });
  const isTable = (...accept: string[]) => inAcceptedForm({ success }, {}, accepting(...accept), reply) !== reply;
  for (const accept of ['text/csv', 'Text/CSV ; q=0.001', 'a/b,text/csv;q=1', 'text/csv;header=present;q=0.5'])
    expect([accept, isTable(accept)]).toEqual([accept, true]);
  for (const accept of [
    '',
    '*/*',
    'text/csvx',
    'text/csv;q=0',
    'text/csv; Q=0.000',
    'text/csv;header=present;q=0, a/b',
  ])
    expect([accept, isTable(accept)]).toEqual([accept, false]);
  expect(isTable('application/json', 'text/csv')).toBe(true);
});

test('an operation whose list has no CSV table responds with JSON even to a client that accepts CSV', () => {
  const { csv: _csv, ...asJson } = success;
  const reply = replyWith({ name: 'a', count: 1 });
  expect(inAcceptedForm({ success: asJson }, {}, accepting('text/csv'), reply)).toBe(reply);
});
