/** Operators' acts on queues. */
import { type DeadLetters, redrivenAtOnce } from '../../platform/dead-letters.ts';
import { queueForms } from '../act-forms/queue-forms.ts';
import { act } from './act.ts';
import type { ActNeeds } from './perform-act.ts';

type Needs = ActNeeds & { readonly deadLetters: DeadLetters };

export const redriveDeadLetters = act({
  ...queueForms.redriveDeadLetters,
  commits: 'in-steps',
  find: async ({ deadLetters }: Needs, { queue }) => ({
    subject: `dead letters of ${queue}`,
    before: { deadLetters: await deadLetters.count(queue) },
    state: {},
  }),
  async perform({ deadLetters }, { queue }) {
    const moved = await deadLetters.redrive(queue);
    return { queue, moved, mayHaveMore: moved >= redrivenAtOnce };
  },
  changed: ({ mayHaveMore, moved }) => ({ moved, mayHaveMore }),
});
