/** Determines which routes are ready for each operation, and what the others lack. */

import { allRoutesOf, routesOf } from '../../shared/catalog/engines.ts';
import { generationOf } from '../../shared/contracts/generate.ts';
import { switchNameOf } from '../../shared/contracts/switchable.ts';
import { type TaskType, taskTypes } from '../../shared/contracts/task-types.ts';
import { routesRow } from '../../shared/domain/catalog/routes-row.ts';
import { switchesRow } from '../../shared/domain/catalog/switches-row.ts';
import { type Circuit, stateOf, unusedCircuit } from '../../shared/domain/generation/circuit.ts';
import { type EngineName, engineNames } from '../../shared/engines/engine-names.ts';
import type { EngineRoute } from '../../shared/engines/route.ts';
import { watermarkOf } from '../../shared/engines/watermarks.ts';
import { checkEngine, type KeyState } from './engine-keys.ts';
import { enginesOf } from './engines-of.ts';
import type { Service } from './service.ts';

/** The parts of a service that a check reads. */
export type CheckedService = Pick<Service, 'settings' | 'clock' | 'catalog' | 'circuits' | 'deployment'>;

interface RouteCheck {
  readonly route: string;
  readonly isReady: boolean;
  /** What the route lacks, and how to provide it. */
  readonly missing?: string;
  /** The imperceptible watermark in its results: its name, `none`, or `undocumented`. */
  readonly watermark: string;
}

interface OperationCheck {
  readonly operation: string;
  readonly type: TaskType;
  readonly isReady: boolean;
  /** Why the operation has no usable route, whatever the state of its routes. */
  readonly missing?: string;
  readonly routes: readonly RouteCheck[];
}

interface EngineCheck {
  readonly isReady: boolean;
  readonly engines: readonly (KeyState & { readonly engine: EngineName })[];
  readonly operations: readonly OperationCheck[];
}

interface Found {
  readonly keys: ReadonlyMap<string, KeyState>;
  readonly circuits: ReadonlyMap<string, Circuit>;
  readonly now: number;
}

const usable: readonly KeyState['state'][] = ['accepted', 'present', 'not needed'];

function readinessOf(
  { id, engine, workers = [engine] }: EngineRoute,
  { keys, circuits, now }: Found,
): Omit<RouteCheck, 'watermark'> {
  for (const worker of workers) {
    const { state, hint } = keys.get(worker) ?? { state: 'unknown' };
    if (!usable.includes(state))
      return { route: id, isReady: false, missing: `The key of ${worker} is ${state}. ${hint}` };
  }
  const circuit = stateOf(circuits.get(id) ?? unusedCircuit, now);
  if (circuit === 'closed') return { route: id, isReady: true };
  const missing = `The circuit is ${circuit} after failures: it closes by itself; "task show" shows what failed.`;
  return { route: id, isReady: circuit !== 'open', missing };
}

function checkRoute(route: EngineRoute, found: Found): RouteCheck {
  const watermark = watermarkOf(route) ?? 'undocumented';
  return { ...readinessOf(route, found), watermark: typeof watermark === 'object' ? watermark.name : watermark };
}

function whyNoRoute(type: TaskType, service: CheckedService): string {
  const able = engineNames.filter((name) =>
    allRoutesOf(type).some(({ engine, workers = [engine] }) => workers.at(-1) === name),
  );
  if (able.some((name) => enginesOf(service).includes(name))) {
    return `The catalog chooses no route that exists: run "catalog reset routes --member ${type}${stageOption(service)}".`;
  }
  return `No engine of this service supports it: add ${able.join(' or ')} to the stage’s engines and deploy.`;
}

const stageOption = ({ deployment }: CheckedService): string => (deployment ? ` --stage ${deployment.stage}` : '');

export async function checkEngines(service: CheckedService): Promise<EngineCheck> {
  const configured = engineNames.filter((name) => enginesOf(service).includes(name));
  const [choices, switchedOff, circuits, ...states] = await Promise.all([
    service.catalog.read(routesRow),
    service.catalog.read(switchesRow),
    service.circuits.read(),
    ...configured.map((name) => checkEngine(name, service)),
  ]);
  const engines = states.map((state, index) => ({ engine: configured[index] as EngineName, ...state }));
  const found = { keys: new Map(engines.map((one) => [one.engine, one])), circuits, now: service.clock.now() };
  const operations = taskTypes.map((type): OperationCheck => {
    const { operationId: operation } = generationOf(type);
    const routes = routesOf(choices[type], type).map((route) => checkRoute(route, found));
    const off = `It is switched off: run "switch set ${switchNameOf(operation)} on${stageOption(service)}".`;
    const missing = switchedOff.has(operation) ? off : routes.length === 0 ? whyNoRoute(type, service) : undefined;
    const isReady = missing === undefined && routes.some((route) => route.isReady);
    return { operation, type, isReady, ...(missing && { missing }), routes };
  });
  return { isReady: operations.every(({ isReady }) => isReady), engines, operations };
}
