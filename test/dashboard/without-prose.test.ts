import { expect, test } from 'vitest';
import { proseRemoved } from '../../dashboard/without-prose.ts';

test('removing the descriptions from a contract keeps all fields, even one that is itself named description', () => {
  const code = `
const name = 'x';
export const contract = {
  operationId: 'create', summary: 'Create', description: \`Creates \${name}.\`,
  body: z.object({ description: text(1, 9).describe('What it is.'), summary: short().describe(\`a \${name}\`).optional() }).describe('All'),
};`;
  expect(proseRemoved(code)).toBe(`
const name = 'x';
export const contract = {
  operationId: 'create', summary: '', description: '',
  body: z.object({ description: text(1, 9), summary: short().optional() }),
};`);
});
