/**
 * The order of test files: a slow one that ran last would leave a core idle. Those with a process of their own come
 * first: Vitest ends a shared process before such a file, and the next one would import the service anew.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Measured over ten seconds each, the slowest first; without a cache, Vitest takes the largest files for the slowest. */
const slow = [
  'verification/crash/',
  'contracts/generated-clients',
  'verification/model/',
  'verification/fuzz/',
  'verification/soak/soak',
  'verification/interleavings/',
  'verification/secrets/secrets',
  'infra/offline-engine/operations/',
  'infra/local/start',
  'platform/deep-paging',
  'infra/aws/templates',
  'infra/aws/used-grants',
  'domain/billing/billing-model',
  'state-machines/cut-clips',
  'functions/fal-video-statuses',
  'state-machines/silent-engine',
  'functions/every-operation',
  'functions/fal-operations',
  'functions/klap-cortes',
  'functions/deliver-webhook-',
  'infra/demo/',
  'state-machines/racing-enders',
  'functions/offline-images',
  'infra/offline-engine/speech/acting',
  'infra/aws/bundles',
  'infra/local/results-page',
  'infra/local/burst',
  'infra/cli/webhook-commands',
  'domain/generation/circuit.property',
  'bench/cost-run',
  'functions/metrics',
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
