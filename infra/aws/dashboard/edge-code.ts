/** The code that CloudFront runs for each request to the dashboard's host, in the dialect of its functions. */
import { dashboardPath, filePattern } from '../../dashboard-site.ts';

/** The address of the browser: only CloudFront knows it, the API sees CloudFront's own. */
export const viewerHeader = 'x-viewer-address';

/** Proves to a stage's firewall that a request came by CloudFront. */
export const originHeader = 'x-origin-key';

/** As `siteFileOf` says, for paths that are the dashboard's: the file of each, which the bucket has under its path. */
export const pageCode = `function handler(event) {
  var request = event.request;
  var name = request.uri.slice(${dashboardPath.length + 1});
  request.uri = '${dashboardPath}/' + (${filePattern}.test(name) ? name : 'index.html');
  return request;
}`;

export const apiCode = `function handler(event) {
  var request = event.request;
  if (request.uri === '/') {
    return { statusCode: 302, statusDescription: 'Found', headers: { location: { value: '${dashboardPath}/' } } };
  }
  request.headers['${viewerHeader}'] = { value: event.viewer.ip };
  return request;
}`;
