/**
 * A drill without commands: if the region is lost, what survives? Checks that the page answers this for everything that
 * stores data, with how much is lost.
 */
import { readFileSync } from 'node:fs';
import type { Drill } from './drill.ts';

/** The kinds of resources in the stack that stores data, each with the word that the page uses for it. */
const kept = {
  'AWS::DynamoDB::Table': 'table',
  'AWS::S3::Bucket': 'bucket',
  'AWS::SQS::Queue': 'queue',
  'AWS::KMS::Key': 'key',
  'AWS::SecretsManager::Secret': 'secret',
} as const;

export const regionLost: Drill = {
  summary: 'A region is lost, on paper: what survives, how much is lost, and for how long.',
  page: 'docs/restore.md',
  heading: 'Lose a region',
  async run({ check, template }) {
    const page = readFileSync(new URL('../../../docs/restore.md', import.meta.url), 'utf8');
    const [, section = ''] = page.split('\n## Lose a region\n');
    const rows = section.split('\n').filter((line) => line.startsWith('| '));
    const resources = Object.values(await template('Data'));
    for (const [kind, word] of Object.entries(kept)) {
      check(
        `the data stack has a ${word}`,
        resources.some(({ Type }) => Type === kind),
      );
      check(
        `the page says what happens to every ${word}`,
        rows.some((row) => row.toLowerCase().includes(word)),
      );
    }
    check(
      'the page says how much data is lost, and how long the service is down',
      section.includes('RPO') && section.includes('RTO'),
    );
  },
};
