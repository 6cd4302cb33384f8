/** Acts of administrators on other operators. */
import { operatorForms } from '../act-forms/operator-forms.ts';
import { endAllOfOperator, listOperatorSessions } from '../operator-sessions/operator-session-store.ts';
import { act } from './act.ts';
import type { ActNeeds } from './perform-act.ts';

export const endOperatorSessions = act({
  ...operatorForms.endOperatorSessions,
  commits: 'in-steps',
  async find({ table }: ActNeeds, { operator }, { at }) {
    const open = (await listOperatorSessions(table, operator, at)).length;
    return { subject: `operator ${operator.toLowerCase()}`, before: { sessions: open }, state: {} };
  },
  after: () => ({ sessions: 0 }),
  async perform({ table }, { operator }, { at }) {
    return { operator, sessionsEnded: await endAllOfOperator(table, operator, at) };
  },
  changed: ({ sessionsEnded }) => ({ sessionsEnded }),
});
