import { expect, test } from 'vitest';
import { operationOf } from '../../../shared/contracts/openapi/operation.ts';
import { schemas } from '../../../shared/contracts/openapi/schemas.ts';
import { registry } from '../../../shared/contracts/registry.ts';

const options = { serverUrl: 'https://api.example.com', version: '1.0.0', prices: {} };

test('the OpenAPI document has a named schema for each 202 response that contains ids besides the task id', () => {
  const found = schemas();
  const { responses } = operationOf(registry.generateStudioVideo, found, options) as {
    readonly responses: Readonly<Record<string, { readonly content: object }>>;
  };
  const schema = { $ref: '#/components/schemas/GenerateStudioVideoAcceptedResponse' };
  expect(responses[202]?.content).toMatchObject({ 'application/json': { schema } });
  expect(found.components().GenerateStudioVideoAccepted).toMatchObject({
    required: ['taskId', 'status', 'variationGroup'],
    properties: { variationGroup: { type: 'string' } },
  });
});
