/** Alarms and the dashboard: every promise is watched, and whoever is woken knows why and where to begin. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { StageName } from '../../../infra/aws/stages.ts';
import { metricUnits } from '../../../shared/domain/metrics.ts';
import { type Synthesized, synthesize } from './synthesized.ts';

const stages: readonly StageName[] = ['local', 'dev', 'prod'];

interface Alarm {
  readonly AlarmDescription: string;
  readonly AlarmActions?: readonly unknown[];
  readonly Namespace?: string;
  readonly MetricName?: string;
  readonly TreatMissingData: string;
}

let synthesized: Synthesized;

beforeAll(() => {
  synthesized = synthesize();
});

const alarmsOf = (stage: StageName) =>
  Object.values(synthesized.service(stage).ofType<Alarm>('AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties);

describe.each(stages)('the stage %s', (stage) => {
  test('has alarms, each with its impact, a runbook that exists, and somebody who is told', () => {
    const operations = readFileSync('docs/operations.md', 'utf8');
    const alarms = alarmsOf(stage);
    expect(alarms.length).toBeGreaterThanOrEqual(6);
    for (const { AlarmActions = [], AlarmDescription } of alarms) {
      const [, impact = '', heading = ''] =
        /^(.{30,}\.) Runbook: docs\/operations\.md, "(.+)"\.$/.exec(AlarmDescription) ?? [];
      expect(impact, AlarmDescription).not.toBe('');
      expect(operations).toMatch(new RegExp(`^#{2,3} ${heading}$`, 'm'));
      expect(AlarmActions).toHaveLength(1);
    }
  });

  test('watches its own metrics, and none of another stage', () => {
    const namespaces = alarmsOf(stage).flatMap(({ Namespace = [] }) => Namespace);
    expect(new Set(namespaces)).toEqual(new Set([`GenerationService/${stage}`, 'AWS/SQS', 'AWS/ApiGateway']));
  });

  test('takes the silence of the sweeper for a fault, and no other silence', () => {
    const breaching = alarmsOf(stage).filter(({ TreatMissingData }) => TreatMissingData === 'breaching');
    expect(breaching.map(({ MetricName }) => MetricName)).toEqual(['OldestOpenTaskAge']);
  });

  test('shows every metric of the service on its dashboard', () => {
    const { Properties } = synthesized.service(stage).one('AWS::CloudWatch::Dashboard');
    const body = JSON.stringify(Properties);
    expect(Object.keys(metricUnits).filter((name) => !body.includes(name))).toEqual([]);
    expect(body).toContain(`GenerationService/${stage}`);
  });
});

test('a canary is taken back when requests fail or webhooks are not attempted', () => {
  const groups = Object.values(
    synthesized
      .service('prod')
      .ofType<{ AlarmConfiguration?: { Alarms: unknown[]; Enabled: boolean } }>('AWS::CodeDeploy::DeploymentGroup'),
  );
  expect(groups.length).toBeGreaterThan(0);
  for (const { Properties } of groups) {
    expect(Properties.AlarmConfiguration).toMatchObject({ Enabled: true });
    expect(Properties.AlarmConfiguration?.Alarms).toHaveLength(2);
  }
});
