/** Lists as tables, for clients that accept CSV. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { successBody } from '../../shared/contracts/envelope.ts';
import type { RequestContract } from '../../shared/contracts/operation.ts';
import { inAcceptedForm } from '../../shared/runtime/csv-reply.ts';

const row = z.object({ name: z.string(), count: z.int().nullable(), note: z.string().optional() });
const success = { status: 200, rows: 'rows', csv: true, data: z.object({ rows: z.array(row) }) } as const;
const contract = { success } as unknown as RequestContract;

const event = { multiValueHeaders: { Accept: ['text/csv'] } } as unknown as APIGatewayProxyEvent;
const reply = { status: 200, body: successBody({ rows: [{ name: 'a', count: 1 }] }) };

test('values that contain a separator, a quotation mark or a line break are quoted, and absent ones are empty', () => {
  const rows = [
    { name: 'plain', count: 1, note: 'x' },
    { name: 'a, "b"\nc', count: null },
  ];
  const { body } = inAcceptedForm(contract, event, { ...reply, body: successBody({ rows }) });
  expect(body).toBe('name,count,note\r\nplain,1,x\r\n"a, ""b""\nc",,\r\n');
});

test('a table that would lack rows is rejected as temporarily unavailable, with the time of the next attempt', () => {
  const incomplete = { ...reply, headers: { 'Retry-After': '1' } };
  const error = { code: 'PROVIDER_UNAVAILABLE', retryAfterSeconds: 1 };
  expect(() => inAcceptedForm(contract, event, incomplete)).toThrow(expect.objectContaining(error));
  const json = { multiValueHeaders: {} } as APIGatewayProxyEvent;
  expect(inAcceptedForm(contract, json, incomplete)).toBe(incomplete);
});

test('a list that has no table stays JSON for a client that accepts CSV', () => {
  const { csv: _csv, ...asJson } = success;
  expect(inAcceptedForm({ success: asJson } as unknown as RequestContract, event, reply)).toBe(reply);
});
