/** The service's only table, and the permissions to use it. */
import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import {
  connectionKey,
  consentKey,
  conversationKey,
  conversationsOwner,
  erasureKey,
  openConnections,
  pageKey,
  postsOwner,
  unlistedPostsOwner,
  unreadConversations,
} from '../../shared/domain/inbox-keys.ts';
import {
  accountKey,
  accountsOwner,
  activeTokensKey,
  allOpenShards,
  auditKey,
  avatarKey,
  casesPartition,
  catalogKey,
  circuitsPartition,
  couponKey,
  eventKey,
  expiryAttribute,
  fileKey,
  guessesKey,
  type IndexName,
  idempotencyKey,
  identityKey,
  indexes,
  influencerKey,
  invitationKey,
  invoiceKey,
  ledgerKey,
  listedProductKey,
  loginKey,
  openCases,
  openSubscriptions,
  orderKey,
  ordersOwner,
  originKey,
  pendingOrders,
  primaryKey,
  productKey,
  reconciliationKey,
  sessionKey,
  sessionsOwner,
  signUpKey,
  slotsKey,
  subscriptionKey,
  taskKey,
  tasksOwner,
  tokenKey,
  tokensOwner,
  uploadsKey,
  usageKey,
} from '../../shared/domain/keys.ts';
import type { Permission } from './permission.ts';
import type { Stage } from './stages.ts';
import type { Entity, IndexedList, TableGrants } from './table-grants.ts';

/** The partitions of each kind of item. */
const partitions: Readonly<Record<Entity, string>> = {
  account: accountKey('*').pk,
  activeTokens: activeTokensKey('*').pk,
  audit: auditKey('*').pk,
  avatar: avatarKey('*', '*').pk,
  avatarOrigin: originKey('*', '*').pk,
  case: casesPartition,
  catalog: catalogKey('plans').pk,
  circuit: circuitsPartition,
  coupon: couponKey('*').pk,
  connection: connectionKey('*', 'instagram').pk,
  consent: consentKey('*', 'instagram').pk,
  erasure: erasureKey('*').pk,
  file: fileKey('*', '*').pk,
  guesses: guessesKey('*').pk,
  idempotency: idempotencyKey('*', '*', '*').pk,
  identity: identityKey('*').pk,
  inbox: conversationKey('*', '*').pk,
  influencer: influencerKey('*', '').pk,
  invitation: invitationKey('*').pk,
  invoice: invoiceKey('*', '').pk,
  ledger: ledgerKey('*', '').pk,
  listedProduct: listedProductKey('*', '').pk,
  login: loginKey('*').pk,
  order: orderKey('*').pk,
  page: pageKey('*' as 'instagram', '*').pk,
  paymentEvent: eventKey('*', '*', '*').pk,
  product: productKey('*', '*').pk,
  reconciliation: reconciliationKey('*').pk,
  session: sessionKey('*').pk,
  signUp: signUpKey('*').pk,
  slots: slotsKey('*').pk,
  subscription: subscriptionKey('*', '').pk,
  task: taskKey('*').pk,
  token: tokenKey('*').pk,
  uploads: uploadsKey('*', '').pk,
  usage: usageKey('*', '').pk,
};

interface Listing {
  readonly indexes: readonly IndexName[];
  readonly partitions: readonly string[];
}

const narrowedLists = [
  'byType',
  'byReference',
  'byTypeAndReference',
  'byTypeAndState',
  'byReferenceAndState',
  'byTypeAndReferenceAndState',
] as const satisfies readonly IndexName[];

const listings: Readonly<Record<IndexedList, Listing>> = {
  accounts: { indexes: ['byOwner'], partitions: [accountsOwner] },
  conversations: { indexes: ['byOwner'], partitions: [conversationsOwner('*')] },
  dueConnections: { indexes: ['open'], partitions: [openConnections] },
  orders: { indexes: ['byOwner'], partitions: [ordersOwner('*')] },
  ordersByState: { indexes: ['byState'], partitions: [ordersOwner('*')] },
  pendingOrders: { indexes: ['open'], partitions: [pendingOrders] },
  openCases: { indexes: ['open'], partitions: [openCases] },
  openSubscriptions: { indexes: ['open'], partitions: [openSubscriptions] },
  posts: { indexes: ['byOwner'], partitions: [postsOwner('*')] },
  unlistedPosts: { indexes: ['byOwner'], partitions: [unlistedPostsOwner('*')] },
  sessions: { indexes: ['byOwner'], partitions: [sessionsOwner('*')] },
  tasks: { indexes: ['byOwner'], partitions: [tasksOwner('*')] },
  tasksByState: { indexes: ['byState'], partitions: [tasksOwner('*')] },
  narrowedTasks: { indexes: narrowedLists, partitions: [tasksOwner('*')] },
  openTasks: { indexes: ['open'], partitions: allOpenShards },
  tokens: { indexes: ['byOwner'], partitions: [tokensOwner('*')] },
  unreadConversations: { indexes: ['open'], partitions: [unreadConversations('*')] },
  deliveries: { indexes: ['byDelivery'], partitions: [tasksOwner('*')] },
};

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
