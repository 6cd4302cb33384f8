/** A command's target without a service of its own. */
import type { Service, Target } from '../../../infra/cli/service.ts';

export const givenTarget = (service: Omit<Service, 'acting'>, stage?: string): Target => ({
  stage,
  service: async () => ({ ...service, acting: (work) => work() }),
  operator: async () => ({ id: 'local:ana', name: 'ana', role: 'admin' }),
  input: async () => '',
});
