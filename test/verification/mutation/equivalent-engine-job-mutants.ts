/** Mutants of the protocol of engine jobs that no test can distinguish from the product, each with the reason. */

export const equivalentEngineJobMutants = [
  {
    file: 'shared/domain/engine-jobs/advance-job.ts',
    code: "needs.logger.warn('engine job lost', { taskId, job: name, losses: state.lostReferences?.length });",
    replacement: 'state.lostReferences.length',
    reason: 'The write has just stored a lost reference; the type does not know.',
  },
  {
    file: 'shared/domain/engine-jobs/callback-address.ts',
    code: "const [taskId = '', name = ''] = address.split('.', 2);",
    replacement: '"Stryker was here!"',
    reason: 'No address without a name is made, so whatever replaces a missing part leads to no match.',
  },
  {
    file: 'shared/domain/engine-jobs/engine-job.ts',
    code: 'export const isGivenUp = ({ lostReferences = [] }: EngineJobState): boolean =>',
    replacement: '["Stryker was here"]',
    reason: 'One lost reference is as far within the limit as none.',
  },
  {
    file: 'shared/domain/engine-jobs/engine-job-store.ts',
    code: '...(condition !== undefined && {',
    replacement: 'true',
    reason: 'The table’s client drops an undefined condition, and without one nothing can fail.',
  },
  {
    file: 'shared/domain/engine-jobs/record-report.ts',
    code: "if (status === 'running') await advance(needs, task, name, transitionOn('running', generationOf(task.taskType)));",
    replacement: '""',
    reason: 'Only `accepted` is distinguished from other values.',
  },
  {
    file: 'shared/domain/engine-jobs/record-report.ts',
    code: "if (outcome.status === 'done') await advance(needs, task, name, transitionOn('running', generationOf(task.taskType)));",
    replacement: '""',
    reason: 'Only `accepted` is distinguished from other values.',
  },
  {
    file: 'shared/domain/engine-jobs/record-report.ts',
    code: 'if (name === mainJob && progress > task.progress) {',
    replacement: 'true',
    reason: 'The comparison saves a request: the write lowers no progress by itself.',
  },
  {
    file: 'shared/domain/engine-jobs/record-report.ts',
    code: 'if (name === mainJob && progress > task.progress) {',
    replacement: 'progress >= task.progress',
    reason: 'The comparison saves a request: the write lowers no progress by itself.',
  },
  {
    file: 'shared/domain/engine-jobs/record-report.ts',
    code: "outcome.status === 'failed' ? outcome : { status: 'done', outputs: outcome.outputs.map((output) => ({ ...output })) };",
    replacement: 'true',
    reason: 'The copy satisfies the type alone, whose lists are not read-only.',
  },
  {
    file: 'shared/domain/engine-jobs/stop-jobs.ts',
    code: 'if (engine === undefined || reference === undefined) return;',
    replacement: 'false',
    reason: 'Every reference is stored with its engine; the comparison satisfies the type.',
  },
] as const;
