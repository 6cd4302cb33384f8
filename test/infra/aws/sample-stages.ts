/** Stages as `cdk.json` has them before operators change it: their settings must not decide what tests find. */
import cdkJson from '../../../cdk.json' with { type: 'json' };

export const sampleStages = {
  /** For emulators; no operator changes it. */
  local: cdkJson.context.stages.local,
  dev: { engines: { fal: {} }, dashboard: {} },
  prod: { engines: { fal: {} }, dashboard: {}, production: true, firewall: true, deployment: 'canary' },
};
