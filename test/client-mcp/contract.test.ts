/** What the tools of the MCP server take, which is generated from the contract. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import contract from '../../client-mcp/contract.json' with { type: 'json' };
import type { ClientDocument } from '../../infra/openapi/client-document.ts';
import { mcpContract } from '../../infra/openapi/mcp-contract.ts';
import { bodySchemaOf, operationsOf, published } from '../support/openapi-document.ts';

const document = published();

test('the contract of the MCP server matches the OpenAPI document (otherwise run `npm run openapi`)', () => {
  expect(readFileSync('client-mcp/contract.json', 'utf8')).toBe(mcpContract(document as unknown as ClientDocument));
});

test('the MCP server offers every operation that has a price as a generation', () => {
  const priced = operationsOf(document).filter(({ operation }) => 'x-price' in operation);
  expect(priced.length).toBeGreaterThan(10);
  expect(Object.keys(contract.generations)).toEqual(priced.map(({ operation }) => operation.operationId));
});

test('each input schema is complete without the OpenAPI document, and accepts the operation’s example', () => {
  for (const { operation } of operationsOf(document)) {
    const found = Object.entries(contract.generations).find(([id]) => id === operation.operationId)?.[1];
    if (!found) continue;
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const validate = ajv.compile(found.input);
    expect(validate(operation.requestBody?.content['application/json'].example), operation.operationId).toBe(true);
    expect(Object.keys(found.input.properties)).toEqual(
      Object.keys(bodySchemaOf(operation, document)?.properties ?? {}),
    );
  }
});
