/** A function: its code, a role with exactly its grants, its log group, and the alias that callers invoke. */
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  type CfnFunction,
  Code,
  type IFunction,
  type IVersion,
  Function as Lambda,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { SettingValues } from '../../shared/platform/setting-values.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import {
  type FunctionName,
  memoryMbOf,
  requestTimeoutSeconds,
  type WorkerName,
  workerTimeoutSeconds,
} from '../hosting.ts';
import type { Permission } from './permission.ts';
import type { Stage } from './stages.ts';
import { isTraced, recordingTraces } from './traces.ts';

const isWorker = (name: FunctionName): name is WorkerName => Object.hasOwn(workerTimeoutSeconds, name);

const timeoutSeconds = (name: FunctionName): number =>
  isWorker(name) ? workerTimeoutSeconds[name] : requestTimeoutSeconds;

const environmentOf = (permissions: readonly Permission[]): Record<string, string> => {
  const settings = permissions.flatMap((permission) => Object.entries(permission.settings ?? {}));
  const others = permissions.flatMap((permission) => Object.entries(permission.variables ?? {}));
  return Object.fromEntries([
    ...settings.map(([name, value]) => [settingVariables[name as keyof SettingValues], value] as const),
    ...others,
  ]);
};

/**
 * The function's description, which contains the dashboard's client label so that a new label publishes a new version:
 * a version's hash does not cover values from other stacks.
 */
const descriptionOf = ({ name: stage, dashboard }: Stage, name: FunctionName): string =>
  `Generation Service, ${stage}${dashboard ? ` with clients ${dashboard.clientLabel}` : ''}: ${name}`;

export interface ServiceFunctionProps {
  readonly stage: Stage;
  readonly name: FunctionName;
  /** The folder with the function's bundle. */
  readonly directory: string;
  readonly permissions: readonly Permission[];
}

export class ServiceFunction extends Construct {
  readonly role: Role;
  /** The alias that callers invoke. */
  readonly live: IFunction;
  /** The alias that callers invoke, for deployments that shift it between versions. */
  readonly alias: Alias;

  constructor(scope: Construct, { stage, name, directory, permissions }: ServiceFunctionProps) {
    super(scope, name);
    const logGroup = new LogGroup(this, 'Log', {
      retention: stage.logRetentionDays,
      removalPolicy: stage.isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    const logging = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    });
    const all = [...permissions, recordingTraces(stage)];
    const statements = [logging, ...all.flatMap((permission) => permission.statements ?? [])];
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { grants: new PolicyDocument({ statements }) },
    });
    const acknowledgements = all.flatMap((permission) => permission.acknowledgements ?? []);
    Validations.of(this.role).acknowledge(...acknowledgements);
    const lambda = new Lambda(this, 'Function', {
      description: descriptionOf(stage, name),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(directory, { exclude: ['*.map'] }),
      handler: 'index.handler',
      memorySize: memoryMbOf(name),
      timeout: Duration.seconds(timeoutSeconds(name)),
      environment: environmentOf(permissions),
      role: this.role,
      logGroup,
      // Lambda's own log lines are off: functions write one line per request themselves, and Lambda's three are not
      // worth their cost.
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: SystemLogLevel.WARN,
    });
    // Not the property `tracing`, which would grant its permissions by a second policy for each function.
    if (isTraced(stage)) (lambda.node.defaultChild as CfnFunction).tracingConfig = { mode: 'Active' };
    this.alias = new Alias(this, 'Live', { aliasName: 'live', version: lambda.currentVersion as IVersion });
    this.live = this.alias as IFunction;
  }
}
