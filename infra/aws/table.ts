/** The service's only table, and the permissions to use it. */
import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { indexes } from '../../shared/domain/index-keys.ts';
import { expiryAttribute, primaryKey } from '../../shared/domain/keys.ts';
import type { Permission } from './permission.ts';
import type { Stage } from './stages.ts';
import type { TableGrants } from './table-grants.ts';
import { listings, partitions } from './table-partitions.ts';

/** The IAM action of each kind of use; transactional writes need the same ones as single writes. */
const actions = {
  get: 'dynamodb:GetItem',
  getMany: 'dynamodb:BatchGetItem',
  query: 'dynamodb:Query',
  put: 'dynamodb:PutItem',
  check: 'dynamodb:ConditionCheckItem',
  update: 'dynamodb:UpdateItem',
  delete: 'dynamodb:DeleteItem',
} as const satisfies Readonly<Record<Exclude<keyof TableGrants, 'list'>, string>>;

const text = (name: string) => ({ name, type: AttributeType.STRING });

/** Allows an action only on items of these partitions. */
const onPartitions = (action: string, resource: string, keys: readonly string[]): PolicyStatement =>
  new PolicyStatement({
    actions: [action],
    resources: [resource],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } },
  });

export class ServiceTable extends Construct {
  readonly #table: ITable;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const { tableName } = stage;
    this.#table = tableName === undefined ? this.#create(stage) : Table.fromTableName(this, 'Restored', tableName);
  }

  #create({ isProduction }: Stage): ITable {
    const table = new Table(this, 'Table', {
      partitionKey: text(primaryKey.pk),
      sortKey: text(primaryKey.sk),
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: expiryAttribute,
      deletionProtection: isProduction,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: isProduction },
      removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    for (const [indexName, { pk, sk }] of Object.entries(indexes)) {
      const keys = { partitionKey: text(pk), sortKey: text(sk) };
      table.addGlobalSecondaryIndex({ indexName, ...keys, projectionType: ProjectionType.KEYS_ONLY });
    }
    if (!isProduction) {
      const reason = 'Data outside production may be lost: there is nothing to recover.';
      Validations.of(table).acknowledge({ id: 'AwsSolutions-DDB3', reason });
    }
    return table as ITable;
  }

  get name(): string {
    return this.#table.tableName;
  }

  allow({ list = [], ...uses }: TableGrants): Permission {
    const onItems = Object.entries(uses).map(([use, entities]) =>
      onPartitions(
        actions[use as keyof typeof actions],
        this.#table.tableArn,
        entities.map((entity) => partitions[entity]),
      ),
    );
    const onIndexes = list.flatMap((name) => {
      const listing = listings[name];
      return listing.indexes.map((index) =>
        onPartitions(actions.query, `${this.#table.tableArn}/index/${index}`, listing.partitions),
      );
    });
    return { statements: [...onItems, ...onIndexes] };
  }
}
