/** The commands for operators' sessions on their pages. */
import {
  listOperatorSessions,
  presentOperatorSession,
} from '../../shared/domain/operator-sessions/operator-session-store.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { actCommand } from './act-command.ts';
import { type Command, command, required } from './command.ts';
import { emailAddress } from './value-kinds.ts';

const operator = required(emailAddress, 'E-mail address of the operator.');

const sessions = command({
  name: 'sessions',
  summary: "List the sessions of an operator on the operators' pages, newest first.",
  options: { operator },
  async run({ operator: email }, { clock, table }) {
    return { sessions: (await listOperatorSessions(table, email, clock.now())).map(presentOperatorSession) };
  },
  rows: ({ sessions: found }) => found,
  whenEmpty: 'The operator has no session.',
});

const endSessions = actCommand(acts.endOperatorSessions, {
  name: 'end-sessions',
  summary: "End all sessions of an operator on the operators' pages; the next request of each is rejected.",
  options: { operator },
  async run({ operator: email }, { connect, perform }) {
    const service = await connect();
    return perform(service, service, { operator: email });
  },
});

export const operatorCommands: readonly Command[] = [sessions, endSessions];
