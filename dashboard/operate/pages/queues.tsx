/** The queues, with the messages that failed too often. */
import { operateQueueContracts } from '../../../shared/contracts/operate-queues.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { ActButton } from '../acts/act-button.tsx';
import { RecordTable } from '../record-table.tsx';

type Depth = Data<typeof operateQueueContracts.listQueues>['queues'][number];

function DeadLetters({ queue }: Pick<Depth, 'queue'>) {
  const { format } = useLanguage();
  const query = useApi(operateQueueContracts.listDeadLetters, { params: { queue } });
  return (
    <Loaded query={query}>
      {({ deadLetters }) => (
        <RecordTable
          title={`Dead letters of ${queue}`}
          rows={deadLetters}
          keyOf={({ messageId }) => messageId}
          columns={[
            { label: 'Kind', cell: ({ kind }) => kind },
            {
              label: 'Ids',
              cell: ({ ids }) =>
                Object.entries(ids)
                  .map((pair) => pair.join(' '))
                  .join(', ') || 'none',
            },
            { label: 'Sent', cell: ({ sentAt }) => format.moment(sentAt) },
            { label: 'Message', cell: ({ messageId }) => messageId },
          ]}
        />
      )}
    </Loaded>
  );
}

export function Queues() {
  const { format } = useLanguage();
  const query = useApi(operateQueueContracts.listQueues, {}, { refetchInterval: 30_000 });
  return (
    <Page
      title="Queues"
      lead="How many messages wait and failed, approximately, and ten dead letters of each queue at most, without their contents. They are kept for 14 days."
    >
      <Loaded query={query}>
        {({ queues }) => (
          <>
            <RecordTable
              title="Messages"
              rows={queues}
              keyOf={({ queue }) => queue}
              columns={[
                { label: 'Queue', cell: ({ queue }) => queue },
                {
                  // In words, because a phone shows no heads of columns.
                  label: 'Messages',
                  cell: ({ delayed, inFlight, waiting }) =>
                    `${format.number(waiting)} waiting, ${format.number(delayed)} delayed, ${format.number(inFlight)} in flight`,
                },
                { label: 'Failed', cell: ({ deadLetters }) => `dead letters: ${format.number(deadLetters)}` },
                {
                  label: 'Act',
                  // Also without dead letters, so that the dialog stays open when all have been moved.
                  cell: ({ queue }) => <ActButton act="redriveDeadLetters" label="Redrive" given={{ queue }} />,
                },
              ]}
            />
            {queues
              .filter(({ deadLetters }) => deadLetters > 0)
              .map(({ queue }) => (
                <DeadLetters key={queue} queue={queue} />
              ))}
          </>
        )}
      </Loaded>
    </Page>
  );
}
