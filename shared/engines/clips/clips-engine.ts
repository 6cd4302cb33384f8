/**
 * The service's own way of cutting clips: a workflow in which other engines transcribe and cut. It needs no key, and
 * records its outcome itself.
 */
import type { WorkflowName } from '../../contracts/workflow.ts';
import type { Workflow } from '../../platform/workflow.ts';
import type { Engine, EngineOutput } from '../engine.ts';

export interface ClipsEngineAccess {
  readonly workflow: Pick<Workflow, 'start'>;
  /** The engines that do the work. */
  readonly named: (name: string) => Engine | undefined;
}

const workflowName: WorkflowName = 'cut-clips';

/** The address of another engine's output, as an output of this one. */
const addressAt = (engine: string, url: string): string => `${engine}:${url}`;

/** The same output of this engine. */
export const outputOf = (engine: string, { posterUrl, ...output }: EngineOutput): EngineOutput => ({
  ...output,
  url: addressAt(engine, output.url),
  ...(posterUrl !== undefined && { posterUrl: addressAt(engine, posterUrl) }),
});

export const clipsEngine = ({ workflow, named }: ClipsEngineAccess): Engine => {
  /** The name is a lock: an execution that runs is left alone. */
  const start = (taskId: string) => workflow.start(workflowName, taskId, { taskId });
  return {
    async submit({ taskId }) {
      await start(taskId);
      return { status: 'accepted', reference: taskId, completion: 'callback' };
    },
    async check(reference) {
      // An execution that ended has recorded its outcome before, unless it broke off.
      return (await start(reference)) === 'running'
        ? { status: 'running', progress: 0 }
        : { status: 'failed', code: 'PROVIDER_ERROR' };
    },
    // The jobs of the other engines are canceled as those of the task; the workflow then ends by itself.
    cancel: async () => undefined,
    readCallback: async () => undefined,
    async download(output) {
      const [engine = '', ...url] = output.url.split(':');
      const found = named(engine);
      if (!found) throw new Error(`no engine is named ${engine}`);
      return found.download({ ...output, url: url.join(':') });
    },
  };
};
