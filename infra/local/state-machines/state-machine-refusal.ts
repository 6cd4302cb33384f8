/** A request that Step Functions refuses, under the name that AWS gives the refusal. */

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

export class StateMachineRefusal extends Error {
  override readonly name: RefusalName;
  constructor(name: RefusalName, message: string) {
    super(message);
    this.name = name;
  }
}
