/** Stages as `cdk.json` contains them before operators change it: their settings must not influence tests. */
import cdkJson from '../../../cdk.json' with { type: 'json' };

export const sampleStages = {
  /** The stage for emulators, which operators do not change. */
  local: cdkJson.context.stages.local,
  dev: { engines: { fal: {} }, dashboard: {} },
  prod: { engines: { fal: {} }, dashboard: {}, production: true, firewall: true, deployment: 'canary' },
};
