/**
 * The order of test files. Slow files run first, because a slow one that ran last would leave a core idle. Projects run
 * one after the other, those with a process per file first: Vitest ends a shared process before a file of another
 * project, and the next shared process would have to import the service again.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take over ten seconds each, the slowest first; without a cache, Vitest assumes that the largest files are
 * the slowest.
 */
const slow = [
  'infra/aws/templates',
  'infra/aws/bundles',
  'verification/secrets/secrets',
  'domain/task-lifecycle/large-result/',
  'offline-engine/operations/',
  'verification/model/',
  'media-files/filled-media',
  'contracts/generated-clients',
  'state-machines/test-mode',
  'infra/local/start',
  'state-machines/cut-clips',
  'site/programs',
  'engines/test-mode',
  'platform/deep-paging',
  'verification/extremes',
  'functions/fal-operations',
  'functions/large-uploads',
  'functions/test-tenancy',
  'client-python/',
  'infra/demo/',
  'domain/media/probe-media',
  'functions/invalid-requests',
  'infra/aws/used-grants',
  'domain/accounts/long-results',
  'media-files/honest-media',
  'infra/local/burst',
  'functions/provider-tasks',
  'client/running-service',
  'domain/billing/subscription-model',
  'provenance/content-credentials',
  'functions/deliver-webhook-',
  'verification/',
  'domain/piloto/synchronization/synchronize-page.property',
  'functions/tenancy.',
  'functions/every-operation',
  // These two wait a minute, for what a lost callback would have said and for a schedule.
  'e2e/failures',
  'e2e/piloto',
  'e2e/dashboard-pages',
  'e2e/dashboard-tasks',
  'e2e/dashboard-inbox',
  'e2e/dashboard-operators',
  'e2e/docs',
  'e2e/videos',
  'e2e/verify',
  'e2e/sandbox-pages',
].map((path) => `/test/${path}`);

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = slow.findIndex((path) => moduleId.includes(path));
  return rank === -1 ? slow.length : rank;
};

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    const slowest = bySize.toSorted((one, other) => rankOf(one) - rankOf(other));
    const {
      alone = [],
      deep = [],
      others = [],
    } = Object.groupBy(slowest, ({ project: { name, config } }) =>
      config.isolate ? 'alone' : name === 'deep' ? 'deep' : 'others',
    );
    return [...alone, ...deep, ...others];
  }
}
