/** The drills by name, in the order in which `all` runs them: those that deploy come last. */
import { badDeployment } from './bad-deployment.ts';
import { badPrice } from './bad-price.ts';
import type { Drill } from './drill.ts';
import { engineDown } from './engine-down.ts';
import { poisonedQueue } from './poisoned-queue.ts';
import { regionLost } from './region-lost.ts';
import { restore } from './restore.ts';
import { runawayCustomer } from './runaway-customer.ts';
import { signingKey } from './signing-key.ts';

export const drills: Readonly<Record<string, Drill>> = {
  'bad-price': badPrice,
  'runaway-customer': runawayCustomer,
  'poisoned-queue': poisonedQueue,
  'signing-key': signingKey,
  'engine-down': engineDown,
  'bad-deployment': badDeployment,
  restore,
  'region-lost': regionLost,
};
