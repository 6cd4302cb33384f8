/** The bounded history of one execution, in the format of Step Functions. */
import type { StateMachine } from 'aws-local-stepfunctions';

type InterpreterEvents = ReturnType<StateMachine['run']>['eventLogs'];
type InterpreterEvent = InterpreterEvents extends AsyncGenerator<infer Event> ? Event : never;

/** An event in the format of GetExecutionHistory: the timestamp in seconds, details in a field named after the type. */
interface HistoryEvent {
  readonly id: number;
  readonly previousEventId: number;
  readonly timestamp: number;
  readonly type: string;
  readonly [details: `${string}EventDetails`]: object;
}

export interface ExecutionHistory {
  readonly statesEntered: readonly string[];
  /** The latest events, oldest first. Ids count all events, including those that are no longer kept. */
  events(): HistoryEvent[];
  /** Resolves when the execution has ended and everything is recorded. */
  record(events: InterpreterEvents): Promise<void>;
}

// Events are stored compactly, because thousands of histories are kept; they are formatted only when they are read.
interface Entry {
  readonly id: number;
  readonly at: number;
  readonly type: InterpreterEvent['type'];
  readonly stateName: string;
  readonly stateType: string;
  readonly error: string;
}

const keptEvents = 50;
const keptStates = 1000;

export function executionHistory(): ExecutionHistory {
  const entries: Entry[] = [];
  const statesEntered: string[] = [];
  let latestId = 0;
  return {
    statesEntered,
    events: () => entries.map(worded),
    async record(log) {
      for await (const event of log) {
        const state = 'state' in event ? event.state : undefined;
        if (event.type === 'StateEntered' && statesEntered.length < keptStates) statesEntered.push(event.state.name);
        if (!detailsOf(event.type, state?.type ?? '', '', '')) continue;
        entries.push({
          id: ++latestId,
          at: event.timestamp,
          type: event.type,
          stateName: state?.name ?? '',
          stateType: state?.type ?? '',
          error: 'Error' in event ? event.Error : '',
        });
        if (entries.length > keptEvents) entries.shift();
      }
    },
  };
}

const worded = ({ id, at, type, stateName, stateType, error }: Entry): HistoryEvent => ({
  id,
  previousEventId: id - 1,
  timestamp: at / 1000,
  type,
  ...detailsOf(type, stateType, stateName, error),
});

/**
 * The details of an event; undefined where Step Functions has no event: a retry, for example, is just another attempt.
 */
function detailsOf(
  type: InterpreterEvent['type'],
  stateType: string,
  stateName: string,
  error: string,
): Pick<HistoryEvent, 'type' | `${string}EventDetails`> | undefined {
  switch (type) {
    case 'StateEntered':
      return { type: `${stateType}StateEntered`, stateEnteredEventDetails: { name: stateName } };
    case 'StateExited':
      return { type: `${stateType}StateExited`, stateExitedEventDetails: { name: stateName } };
    case 'StateFailed':
      return stateType === 'Task' ? taskFailed(error) : undefined;
    case 'ExecutionFailed':
      return { type: 'ExecutionFailed', executionFailedEventDetails: { error } };
    case 'ExecutionTimeout':
      return { type: 'ExecutionTimedOut', executionTimedOutEventDetails: {} };
    case 'ExecutionStarted':
    case 'ExecutionSucceeded':
    case 'ExecutionAborted':
      return { type };
    default:
      return undefined;
  }
}

function taskFailed(error: string): Pick<HistoryEvent, 'type' | `${string}EventDetails`> {
  const details = { resourceType: 'task', resource: 'task', error };
  return error === 'States.Timeout'
    ? { type: 'TaskTimedOut', taskTimedOutEventDetails: details }
    : { type: 'TaskFailed', taskFailedEventDetails: details };
}
