/** The order of test files: a slow one that ran last would leave a core idle. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Measured over ten seconds each, the slowest first. */
const slow = [
  'verification/crash/',
  'verification/model/',
  'verification/soak/',
  'verification/interleavings/',
  'contracts/generated-clients',
  'infra/offline-engine/operations/',
  'infra/local/start',
  'functions/deliver-webhook-',
  'infra/demo/',
  'functions/offline-images',
  'infra/local/results-page',
  'infra/local/burst',
  'infra/cli/webhook-commands',
  'bench/cost-run',
].map((path) => `/test/${path}`);

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = slow.findIndex((path) => moduleId.includes(path));
  return rank === -1 ? slow.length : rank;
};

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    return bySize.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
