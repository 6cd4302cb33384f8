/** An error response of Step Functions, with AWS's name for the error. */

export type StateMachineErrorName =
  | 'ExecutionAlreadyExists'
  | 'ExecutionDoesNotExist'
  | 'InvalidExecutionInput'
  | 'InvalidName'
  | 'InvalidOutput'
  | 'InvalidToken'
  | 'SerializationException'
  | 'StateMachineDoesNotExist'
  | 'TaskDoesNotExist'
  | 'TaskTimedOut'
  | 'UnknownOperationException'
  | 'ValidationException';

export class StateMachineError extends Error {
  override readonly name: StateMachineErrorName;
  constructor(name: StateMachineErrorName, message: string) {
    super(message);
    this.name = name;
  }
}
