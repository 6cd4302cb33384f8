/**
 * The order of test files: a slow one that ran last would leave a core idle. Files with a separate process come first:
 * Vitest ends a shared process before such a file, and the next shared one would import the service again.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take over ten seconds each, the slowest first; without a cache, Vitest assumes that the largest files are
 * the slowest.
 */
const slow = [
  'verification/secrets/secrets',
  'domain/task-lifecycle/large-result/',
  'offline-engine/operations/',
  'infra/aws/templates',
  'functions/tenancy.',
  'contracts/generated-clients',
  'infra/aws/used-grants',
  'infra/local/start',
  'platform/trips',
  'state-machines/silent-engine',
  'verification/model/',
  'state-machines/cut-clips',
  'platform/deep-paging',
  'infra/demo/',
  'functions/every-operation',
  'infra/aws/bundles',
  'functions/fal-operations',
  'domain/media/probe-media',
  'functions/deliver-webhook-',
  'domain/piloto/synchronization/synchronize-page.property',
  'functions/provider-tasks',
  'infra/cli/webhook-commands',
  'functions/metrics',
  'verification/cost/cost-run',
  'domain/piloto/pages/consent.property',
  'domain/billing/subscription-model',
  'functions/hostile-images',
  'state-machines/polling',
].map((path) => `/test/${path}`);

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = slow.findIndex((path) => moduleId.includes(path));
  return rank === -1 ? slow.length : rank;
};

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    const slowest = bySize.toSorted((one, other) => rankOf(one) - rankOf(other));
    const { alone = [], shared = [] } = Object.groupBy(slowest, ({ project }) =>
      project.config.isolate ? 'alone' : 'shared',
    );
    return [...alone, ...shared];
  }
}
