import { expect, test } from 'vitest';
import { operationOf } from '../../../shared/contracts/openapi/operation.ts';
import { schemas } from '../../../shared/contracts/openapi/schemas.ts';
import { toyVideoContract } from '../../support/toy-video.ts';

const options = { serverUrl: 'https://api.example.com', version: '1.0.0', prices: {} };

test('describes the further ids of an accepted task in a named response of the operation', () => {
  const found = schemas();
  const { responses } = operationOf(toyVideoContract, found, options) as {
    readonly responses: Readonly<Record<string, { readonly content: object }>>;
  };
  const schema = { $ref: '#/components/schemas/GenerateToyVideoAcceptedResponse' };
  expect(responses[202]?.content).toMatchObject({ 'application/json': { schema } });
  expect(found.components().GenerateToyVideoAccepted).toMatchObject({
    required: ['taskId', 'status', 'variationGroup'],
    properties: { variationGroup: { type: 'string' } },
  });
});
