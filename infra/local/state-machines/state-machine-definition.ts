/** Parses a state machine into a definition for the interpreter, with scaled times. */
import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import { type Json, parseJson } from '../json.ts';

export interface TaskState {
  readonly resource: string;
  readonly timeoutMs: number;
}

export interface Machine {
  readonly interpreter: StateMachine;
  /** Tasks by state name, including nested states (Map, Parallel); names are unique within a machine. */
  readonly tasks: ReadonlyMap<string, TaskState>;
}

type States = Record<string, Record<string, Json>>;

// Replaces a missing timeout: Step Functions waits indefinitely, the interpreter only 60 s; timers are limited to 24.8
// days.
const longestTimerSeconds = 2_000_000;

/** Factors for the times of a state machine. */
export interface Pace {
  /** Multiplies waits and retry intervals. Default: 1 */
  readonly pace?: number | undefined;
  /** Multiplies timeouts. Default: the same as `pace` */
  readonly timeoutPace?: number | undefined;
}

const waitFields = new Set(['IntervalSeconds', 'MaxDelaySeconds', 'Seconds']);
const payloadFields = new Set(['Parameters', 'ItemSelector', 'Result', 'ResultSelector']);

export function readMachine(text: string, { pace = 1, timeoutPace = pace }: Pace = {}): Machine {
  const tasks = new Map<string, TaskState>();
  const paced = pacedValue(parseJson(text), { pace, timeoutPace }) as unknown as StateMachineDefinition;
  for (const [stateName, state] of allStates(paced as unknown as { States: States })) {
    if (state.Type !== 'Task' || typeof state.Resource !== 'string') continue;
    const timeoutSeconds = Math.min(Number(state.TimeoutSeconds ?? longestTimerSeconds), longestTimerSeconds);
    state.TimeoutSeconds = timeoutSeconds;
    tasks.set(stateName, { resource: state.Resource, timeoutMs: timeoutSeconds * 1000 });
  }
  // Validation is off, because `npm run check` validates the files; here it would take a third of a second and reject
  // fractions of seconds.
  return { interpreter: new StateMachine(paced, { validationOptions: { noValidate: true } }), tasks };
}

function pacedValue(value: Json, factors: Record<keyof Pace, number>, field = ''): Json {
  if (typeof value === 'number') {
    if (field === 'TimeoutSeconds') return value * factors.timeoutPace;
    return waitFields.has(field) ? value * factors.pace : value;
  }
  if (Array.isArray(value)) return value.map((item) => pacedValue(item, factors));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      payloadFields.has(name) ? inner : pacedValue(inner, factors, name),
    ]),
  );
}

function* allStates(machine: { States: States }): Generator<[string, Record<string, Json>]> {
  for (const [name, state] of Object.entries(machine.States)) {
    yield [name, state];
    const nested = [state.ItemProcessor, state.Iterator, ...(Array.isArray(state.Branches) ? state.Branches : [])];
    for (const inner of nested) if (inner) yield* allStates(inner as unknown as { States: States });
  }
}
