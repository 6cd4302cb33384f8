/** Commands on files, products and avatars, and on the videos that are made of them. */
import * as fc from 'fast-check';
import { sweep, wait } from './background-commands.ts';
import type { Command } from './command.ts';
import { actingUnder, copying, type Plan } from './planned-faults.ts';
import { race, raceArgs } from './race-command.ts';
import { cancel } from './request-commands.ts';
import { createAvatar, createProduct, createStudioVideo, expire, listProducts, upload } from './studio-commands.ts';
import { together } from './together-command.ts';
import { engineMoods, finalize, report, reports, settle, step } from './workflow-commands.ts';

const small = fc.nat({ max: 30 });
const account = fc.constantFrom(0, 0, 0, 1);
const progress = fc.nat({ max: 100 });

const key = fc.constantFrom(undefined, undefined, 'k1', 'k2');

const uploadArgs = fc.record({
  account,
  key,
  content: fc.constantFrom('image', 'image', 'image', 'another image', 'text', undefined),
});

const productArgs = fc.record({
  account,
  key,
  files: fc.array(small, { maxLength: 2 }),
  linked: fc.boolean(),
  described: fc.boolean(),
});

const avatarArgs = fc.record({
  account,
  key,
  origin: fc.constantFrom(undefined, 'o1', 'o1', 'o2'),
  file: fc.option(small, { nil: undefined }),
  name: fc.constantFrom('Ana', 'Bia'),
});

const videoArgs = fc.record({
  account,
  // A key is also its task's reference, by which the model tells the tasks of one operation.
  key: fc.constantFrom(undefined, 'v1', 'v2'),
  product: small,
  avatar: fc.option(small, { nil: undefined }),
  webhook: fc.boolean(),
});

const togetherArgs = fc.record({
  account,
  what: fc.constantFrom('avatars of one origin', 'products of one file', 'products of one key'),
  times: fc.integer({ min: 2, max: 3 }),
  file: small,
});

const stepArgs = fc.record({
  execution: small,
  steps: fc.constantFrom(1, 1, 2, 3),
  mood: fc.constantFrom('accepts', 'works', 'is done', ...engineMoods),
  progress,
});

/** Creating resources is as frequent as all that is done with their videos. */
export function studioMix(plan: Plan): fc.Arbitrary<Command>[] {
  const acting = actingUnder(plan);
  const uploading = acting(uploadArgs, upload);
  const describing = acting(productArgs, createProduct, copying);
  const portraying = acting(avatarArgs, createAvatar, copying);
  const filming = acting(videoArgs, createStudioVideo);
  const stepping = acting(stepArgs, step, copying);
  const finalizeArgs = fc.record({
    task: small,
    outcome: fc.constantFrom('done', 'done', 'failed'),
    ofAny: fc.constant(false),
  });
  return [
    uploading,
    uploading,
    uploading,
    describing,
    describing,
    describing,
    portraying,
    portraying,
    filming,
    filming,
    filming,
    stepping,
    stepping,
    stepping,
    raceArgs.map(race),
    togetherArgs.map(together),
    acting(fc.record({ account }), listProducts),
    acting(fc.record({ task: small, byStranger: fc.constant(false) }), cancel),
    acting(
      fc.record({ task: small, report: fc.constantFrom(...reports), progress, forged: fc.constant(false) }),
      report,
    ),
    acting(finalizeArgs, finalize, copying),
    acting(fc.record({ task: small }), settle),
    acting(fc.record({ everything: fc.boolean() }), sweep),
    fc.record({ days: fc.constantFrom(1, 8), removed: fc.boolean() }).map(expire),
    fc.constantFrom(31, 61, 1900).map((seconds) => wait({ seconds })),
  ];
}
