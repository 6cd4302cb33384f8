/** An error response of Step Functions, with AWS's name for the error. */

export type RefusalName =
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
  override readonly name: RefusalName;
  constructor(name: RefusalName, message: string) {
    super(message);
    this.name = name;
  }
}
