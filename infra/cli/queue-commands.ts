/** The commands for queues and their dead letters. */
import { messageQueues } from '../../shared/contracts/message-queues.ts';
import { presentDeadLetters } from '../../shared/domain/operator-reads/present-dead-letters.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { deadLetters } from '../../shared/platform/dead-letters.ts';
import { actCommand } from './act-command.ts';
import { type Command, command, required } from './command.ts';
import { oneOf } from './value-kinds.ts';

const queue = required(oneOf('QUEUE', messageQueues), 'The queue.');

const list = command({
  name: 'list',
  summary: 'List the queues with how many messages and dead letters they have, approximately.',
  async run(_values, service) {
    const depths = await deadLetters(service).depths();
    return { queues: depths.map((depth) => ({ ...depth })) };
  },
  rows: ({ queues }) => queues,
  whenEmpty: 'There are no queues.',
});

const show = command({
  name: 'dead-letters',
  summary: 'List some dead letters of a queue, at most ten, which stay where they are.',
  options: { queue },
  async run({ queue: name }, service) {
    return { deadLetters: presentDeadLetters(await deadLetters(service).look(name)) };
  },
  rows: ({ deadLetters: found }) =>
    found.map(({ ids, ...shown }) => ({ ...shown, ids: Object.entries(ids).map((pair) => pair.join('=')) })),
  whenEmpty: 'There are no dead letters.',
});

const redrive = actCommand(acts.redriveDeadLetters, {
  name: 'redrive',
  summary: acts.redriveDeadLetters.summary,
  options: { queue },
  async run({ queue: name }, { connect, perform }) {
    const service = await connect();
    return perform(service, { ...service, deadLetters: deadLetters(service) }, { queue: name });
  },
  print: ({ mayHaveMore, moved, queue: name }) =>
    moved === 0
      ? 'There are no dead letters.'
      : `${moved === 1 ? '1 message was' : `${moved} messages were`} moved back to ${name}.${mayHaveMore ? ' There may be more: repeat the command.' : ''}`,
});

export const queueCommands: readonly Command[] = [list, show, redrive];
