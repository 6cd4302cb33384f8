/** States for each documented command whether a test runs it or why none does. */

export type CommandRule =
  | { readonly command: RegExp; readonly runBy: string }
  | { readonly command: RegExp; readonly notRun: string };

const awsAccount = 'It needs an AWS account.';
const longRun = 'It takes minutes to hours; its short form is part of the tests.';

/** The rules in order; the first one that matches applies. */
export const commandRules: readonly CommandRule[] = [
  { command: /^(echo '.*' \| )?npm run (--silent )?admin -- /, runBy: 'test/docs/operator-commands.test.ts' },
  { command: /^npm (ci|ci && npm start)$/, runBy: '.ci/run' },
  { command: /^(\w+=\S+ )?npm start( -- --help)?$/, runBy: 'test/infra/local/start.deep.test.ts' },
  { command: /^npm start -- --(memory|engine|timing)/, runBy: 'test/infra/local/options.test.ts' },
  { command: /^npm run demo( -- --(all|images|videos))?$/, runBy: 'test/infra/demo/demo-options.test.ts' },
  {
    command: /^(\w+=\S+ )?(npm run|npx generation-service|npx -y \S+\/clients\/typescript\.tgz) webhooks( -- \S.*)?$/,
    runBy: 'test/client/webhook-listener.test.ts',
  },
  { command: /^(npm|pip) install .*\/clients\//, runBy: 'test/site/programs.deep.test.ts' },
  { command: /^npm run (emulator|deploy:local( -- --no-engines)?|destroy:local)$/, runBy: 'test/e2e/main.ts' },
  { command: /^EMULATOR=localstack npm run emulator$/, runBy: 'test/e2e/main.ts' },
  {
    command: /^npm run drill( -- [\w-]+)?$/,
    notRun: 'It takes minutes; test/docs/drills.test.ts compares its commands with the pages.',
  },
  { command: /^npm run (check|test:e2e|stripe-mock)$/, runBy: '.ci/run' },
  { command: /^npm run check:\w+$/, runBy: 'package.json' },
  { command: /^npm run openapi$/, runBy: 'package.json' },
  { command: /^npm run bundle-sizes$/, notRun: 'It changes a file; test/infra/aws/bundles.deep.test.ts is its check.' },
  { command: /^npm run demo:picture$/, notRun: 'It changes a file, which is looked at.' },
  { command: /^npm run format$/, notRun: 'It changes files; npm run check:format is its check.' },
  { command: /^npm (test|run test:deep)( |$)/, runBy: 'package.json' },
  { command: /^npm run test:watch$/, notRun: 'It waits for changes of files.' },
  { command: /^\w+=\d+ npm (test -- |run test:deep -- |run fuzz$)/, notRun: longRun },
  { command: /^npm run (soak|mutation)$/, notRun: longRun },
  {
    command: /^npm run (bench|cost)( -- --polls 10)?$/,
    notRun: 'It measures this machine; test/bench tests its parts.',
  },
  { command: /^npx node --inspect /, notRun: 'It waits for a debugger.' },
  { command: /^npx cdk deploy --app .*delivery/, notRun: `${awsAccount} Its template is tested.` },
  {
    command: /^API_URL=<ApiUrl> TEST_TOKEN=<testToken> npm run --silent smoke$/,
    runBy: 'test/verification/drills/bad-deployment.ts',
  },
  { command: /^aws (dynamodb|sqs) /, runBy: 'test/verification/drills/aws-command.ts' },
  { command: /^API_URL=\S+ TEST_TOKEN=\S+ npm run --silent smoke$/, runBy: 'test/infra/smoke/smoke.deep.test.ts' },
  { command: /^(npx )?cdk .*stage=/, notRun: `${awsAccount} The emulator's deployment runs the same app.` },
  { command: /^cdk (bootstrap|deploy|destroy)$/, notRun: 'It is short for the command that the page shows in full.' },
  { command: /^aws |^for part in |^done$/, notRun: awsAccount },
  { command: /^curl .*(<DashboardUrl>|<ApiUrl>|\$API_URL)/, notRun: awsAccount },
  { command: /^curl .*\$API\/?/, runBy: 'test/docs/getting-started.deep.test.ts' },
  { command: /^(\w+=)?(\$\()?curl|^SUBSCRIPTION=/, runBy: 'test/docs/getting-started.deep.test.ts' },
  { command: /^API=\$API node /, runBy: 'test/docs/getting-started.deep.test.ts' },
  { command: /^node -e /, runBy: 'test/docs/getting-started.deep.test.ts' },
  { command: /^export AWS_ENDPOINT_URL=/, notRun: 'It sets variables for other commands.' },
  { command: /^git checkout /, notRun: 'It changes the working tree.' },
  { command: /^apt install /, notRun: 'It changes the machine.' },
];
