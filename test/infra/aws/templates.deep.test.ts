/**
 * The content of the templates. Vitest runs all of these tests in one process, because synthesizing takes most of the
 * time.
 */
import { describe } from 'vitest';

const subjects: Readonly<Record<string, () => Promise<unknown>>> = {
  'the role for access logs': () => import('./templates/access-log-role.ts'),
  alarms: () => import('./templates/alarms.ts'),
  'the API': () => import('./templates/api.ts'),
  'content keys': () => import('./templates/content-keys.ts'),
  'the dashboard’s log-in': () => import('./templates/dashboard/identity.ts'),
  'the dashboard’s site': () => import('./templates/dashboard/site.ts'),
  'the firewall': () => import('./templates/firewall.ts'),
  'delivery from GitHub': () => import('./templates/delivery.ts'),
  grants: () => import('./templates/grants.ts'),
  'model invocation': () => import('./templates/model-invocation.ts'),
  'omitted settings': () => import('./templates/omissions.ts'),
  'the resources of a stage': () => import('./templates/parts.ts'),
  'grants of provider keys': () => import('./templates/provider-keys.ts'),
  queues: () => import('./templates/queues.ts'),
  'dependencies of stacks': () => import('./templates/stack-imports.ts'),
  stacks: () => import('./templates/stacks.ts'),
  stages: () => import('./templates/stages.ts'),
  storage: () => import('./templates/storage.ts'),
  traces: () => import('./templates/traces.ts'),
  'video conversion': () => import('./templates/video-conversion.ts'),
  'webhook keys': () => import('./templates/webhook-keys.ts'),
};

for (const [subject, load] of Object.entries(subjects)) describe(subject, () => load().then(() => undefined));
