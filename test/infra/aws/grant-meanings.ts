const ofQueues = (actions: (name: string) => readonly string[]) => ['webhook', 'payment', 'inbox'].flatMap(actions);

/** The permissions outside the table that an entry of the permission table grants on the stage `dev`. */
export const meanings = {
  results: {
    look: ['s3:ListBucket | results'],
    put: ['s3:PutObject | results/results/*', 's3:AbortMultipartUpload | results/results/*'],
    keep: ['s3:PutObject | results/files/*'],
    readKept: ['s3:GetObject | results/files/*'],
    read: ['s3:GetObject | results/results/*', 's3:ListBucket | results'],
    erase: ['s3:DeleteObject | results/results/*', 's3:ListBucket | results'],
    eraseKept: ['s3:DeleteObject | results/files/*', 's3:ListBucket | results'],
  },
  inputs: {
    put: ['s3:PutObject | inputs/inputs/*', 's3:AbortMultipartUpload | inputs/inputs/*'],
    lend: ['s3:GetObject | inputs/inputs/*'],
    readWork: ['s3:GetObject | inputs/inputs/*', 's3:ListBucket | inputs'],
    deleteWork: ['s3:DeleteObject | inputs/inputs/*', 's3:AbortMultipartUpload | inputs/inputs/*'],
    takeUploads: ['s3:PutObject | inputs/uploads/*'],
    readUploads: ['s3:GetObject | inputs/uploads/*', 's3:ListBucket | inputs'],
    makeExports: [
      's3:PutObject | inputs/exports/*',
      's3:AbortMultipartUpload | inputs/exports/*',
      's3:DeleteObject | inputs/exports/*',
      's3:ListBucket | inputs',
    ],
    lendExports: ['s3:GetObject | inputs/exports/*'],
    eraseUploads: ['s3:DeleteObject | inputs/uploads/*'],
    eraseExports: ['s3:DeleteObject | inputs/exports/*'],
    bury: ['s3:PutObject | inputs/erased-accounts/*'],
  },
  webhookQueue: {
    look: ['sqs:GetQueueAttributes | webhook queue'],
    send: ['sqs:SendMessage | webhook queue'],
    receive: [
      'sqs:ReceiveMessage | webhook queue',
      'sqs:DeleteMessage | webhook queue',
      'sqs:GetQueueAttributes | webhook queue',
    ],
  },
  paymentQueue: {
    send: ['sqs:SendMessage | payment queue'],
    receive: [
      'sqs:ReceiveMessage | payment queue',
      'sqs:DeleteMessage | payment queue',
      'sqs:GetQueueAttributes | payment queue',
    ],
  },
  inboxQueue: {
    send: ['sqs:SendMessage | inbox queue'],
    receive: [
      'sqs:ReceiveMessage | inbox queue',
      'sqs:DeleteMessage | inbox queue',
      'sqs:GetQueueAttributes | inbox queue',
    ],
  },
  queues: {
    count: ofQueues((name) => [
      `sqs:GetQueueAttributes | ${name} queue`,
      `sqs:GetQueueAttributes | ${name} dead letters`,
    ]),
    look: ofQueues((name) => [`sqs:ReceiveMessage | ${name} dead letters`]),
    redrive: ofQueues((name) => [
      `sqs:SendMessage | ${name} queue`,
      ...['GetQueueAttributes', 'ReceiveMessage', 'DeleteMessage'].map(
        (action) => `sqs:${action} | ${name} dead letters`,
      ),
    ]),
  },
  credentials: { seal: ['kms:Encrypt | credentials key'], open: ['kms:Decrypt | credentials key'] },
  contentKey: {
    sign: [
      'kms:Sign | content key',
      'secretsmanager:GetSecretValue | secret generation-service/dev/content-certificates',
      'secretsmanager:GetSecretValue | secret generation-service/dev/content-certificates-??????',
    ],
    check: [
      'secretsmanager:GetSecretValue | secret generation-service/dev/content-certificates',
      'secretsmanager:GetSecretValue | secret generation-service/dev/content-certificates-??????',
    ],
  },
  starts: {
    generate: ['states:StartExecution | workflow Generate', 'states:DescribeExecution | executions Generate:*'],
    'cut-clips': ['states:StartExecution | workflow CutClips', 'states:DescribeExecution | executions CutClips:*'],
  },
  workflow: {
    succeed: ['states:SendTaskSuccess | workflow CutClips', 'states:SendTaskSuccess | workflow Generate'],
    fail: ['states:SendTaskFailure | workflow CutClips', 'states:SendTaskFailure | workflow Generate'],
  },
  webhookKeys: {
    deriveTokens: ['kms:GenerateMac | token key'],
    sign: ['kms:Sign | signing key'],
    readPublicKeys: ['kms:GetPublicKey | signing key'],
  },
  secrets: {
    engines: ['secretsmanager:GetSecretValue | secret generation-service/dev/engines/fal-??????'],
    // The stage `dev` accepts no links to video sites, sells nothing and connects no pages.
    social: [],
    youtube: [],
    payments: [],
    subscriptions: [],
    callbackAddresses: ['secretsmanager:GetSecretValue | callback key'],
  },
  identity: {
    visit: [],
    redeemCodes: ['secretsmanager:GetSecretValue | client secret Pages'],
    checkPasswords: [
      'secretsmanager:GetSecretValue | client secret Passwords',
      'cognito-idp:AdminInitiateAuth | user pool',
    ],
    lookUpUsers: ['cognito-idp:AdminGetUser | user pool'],
    deleteUsers: ['cognito-idp:AdminDeleteUser | user pool'],
  },
  operators: { visit: [], redeemCodes: ['secretsmanager:GetSecretValue | client secret Operators'] },
} as const;
