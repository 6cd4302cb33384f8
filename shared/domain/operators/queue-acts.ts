/** Operators' acts on queues. */
import { type DeadLetters, redrivenAtOnce } from '../../platform/dead-letters.ts';
import { queueForms } from '../act-forms/queue-forms.ts';
import { act, FailedHalfWay } from './act.ts';
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
    let moved = 0;
    const count = (more: number) => {
      moved += more;
    };
    await deadLetters.redrive(queue, count).catch((error: unknown) => {
      throw new FailedHalfWay({ moved }, error);
    });
    return { queue, moved, mayHaveMore: moved >= redrivenAtOnce };
  },
  changed: ({ mayHaveMore, moved }) => ({ moved, mayHaveMore }),
});
