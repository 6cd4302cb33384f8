/**
 * The service's own engine for clips: a workflow in which other engines transcribe and cut. It needs no key, and the
 * workflow records the outcome itself.
 */
import type { WorkflowName } from '../../contracts/workflow.ts';
import type { Workflow } from '../../platform/workflow.ts';
import type { Engine, EngineOutput } from '../engine.ts';

export interface ClipsEngineAccess {
  readonly workflow: Pick<Workflow, 'start'>;
  /** The engines that the workflow uses. */
  readonly named: (name: string) => Engine | undefined;
}

const workflowName: WorkflowName = 'cut-clips';

/** Combines the name of an engine and the URL of its output into a URL of the clips engine. */
const addressAt = (engine: string, url: string): string => `${engine}:${url}`;

/** Converts another engine's output to an output of the clips engine. */
export const outputOf = (engine: string, { posterUrl, ...output }: EngineOutput): EngineOutput => ({
  ...output,
  url: addressAt(engine, output.url),
  ...(posterUrl !== undefined && { posterUrl: addressAt(engine, posterUrl) }),
});

export const clipsEngine = ({ workflow, named }: ClipsEngineAccess): Engine => {
  /** The name of an execution acts as a lock: a running execution is not started twice. */
  const start = (taskId: string) => workflow.start(workflowName, taskId, { taskId });
  return {
    async submit({ taskId }) {
      await start(taskId);
      return { status: 'accepted', reference: taskId, completion: 'callback' };
    },
    async check(reference) {
      // An execution that has ended has recorded its outcome, unless it was aborted.
      return (await start(reference)) === 'running'
        ? { status: 'running', progress: 0 }
        : { status: 'failed', code: 'PROVIDER_ERROR' };
    },
    // Canceling a clips job does nothing: the other engines' jobs are canceled with the task, and the workflow then
    // ends by itself.
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
