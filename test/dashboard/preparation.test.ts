import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { preparation } from '../../dashboard/pages/playground/preparation.ts';

test('the setup shown for the playground’s code has the client guide’s install command and sets the token variable', () => {
  const guide = readFileSync('site/guides/clients.md', 'utf8').replaceAll('{{ server }}', 'https://api.example.com');
  const shown = ['TypeScript', 'Python'].map((label) => preparation(label, 'https://api.example.com').split('\n'));
  expect(shown).toEqual([
    [expect.stringMatching(/^npm install/), 'export API_TOKEN=av_…'],
    [expect.stringMatching(/^pip install/), 'export API_TOKEN=av_…'],
  ]);
  for (const [install] of shown) expect(guide).toContain(`| \`${install}\` |`);
  expect(preparation('curl', 'https://api.example.com')).toBe('export API_TOKEN=av_…');
});
