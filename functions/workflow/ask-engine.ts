import { AskEngineInput } from '../../shared/contracts/workflow.ts';
import { voicesRow } from '../../shared/domain/catalog/voices-row.ts';
import { advanceJob } from '../../shared/domain/engine-jobs/advance-job.ts';
import { mainJob } from '../../shared/domain/engine-jobs/engine-job.ts';
import type { InputCopies, JobOrder } from '../../shared/domain/engine-jobs/submit-job.ts';
import { accountInputs } from '../../shared/domain/files/account-inputs.ts';
import { stageInputs } from '../../shared/domain/generation/stage-inputs.ts';
import { catalog, engineJobs, files, tasks } from '../../shared/domain/store-ports.ts';
import type { Task } from '../../shared/domain/tasks/task.ts';
import { testEngineName } from '../../shared/engines/engine-names.ts';
import { engines } from '../../shared/engines/engines.ts';
import { modelRequest } from '../../shared/engines/model-request.ts';
import { testInput } from '../../shared/engines/test-mode/test-engine.ts';
import { inputsBucket } from '../../shared/platform/bucket.ts';
import { outbound } from '../../shared/platform/outbound.ts';
import { secretsManager } from '../../shared/platform/secrets.ts';
import { storedObjects } from '../../shared/platform/stored-objects.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import type { With } from '../../shared/runtime/context.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

type Names =
  | 'catalog'
  | 'engineJobs'
  | 'engines'
  | 'files'
  | 'inputs'
  | 'outbound'
  | 'secrets'
  | 'storedObjects'
  | 'tasks'
  | 'workflow';

/** The input for the route's model, with files as URLs of the service's own storage; in test mode, no file is copied. */
async function requestOf(needs: With<Names>, task: Task, copies: InputCopies): ReturnType<JobOrder['request']> {
  if (task.engine === testEngineName) return { input: testInput(task) };
  const staged = await stageInputs({ ...needs, outbound: accountInputs(needs, task.accountId) }, task, copies);
  if ('status' in staged) return staged;
  // Only ElevenLabs needs the catalog's voice ids.
  const terms = task.engine === 'elevenlabs' ? { voiceIds: await needs.catalog.read(voicesRow) } : undefined;
  return modelRequest(task.route, task.taskType, staged.input, terms);
}

/** Submits a task to its engine, or polls its job. */
export const askEngine: Step<typeof AskEngineInput, Names> = ({ taskId, token }, context) =>
  advanceJob(context, { taskId, name: mainJob }, token, (task) => ({
    engine: task.engine,
    deadlineAt: task.deadlineAt,
    request: (copies) => requestOf(context, task, copies),
  }));

export const definition = stepLambda('askEngine', AskEngineInput, askEngine, {
  catalog,
  engineJobs,
  files,
  tasks,
  inputs: inputsBucket,
  engines,
  outbound,
  secrets: secretsManager,
  storedObjects,
  workflow: stepFunctions,
});
