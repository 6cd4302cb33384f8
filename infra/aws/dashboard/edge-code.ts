/** CloudFront functions that run for each request to the dashboard's host. */
import { dashboardPath, filePattern, operateFile, operatePath } from '../../dashboard-site.ts';

/** The header with the browser's address, which only CloudFront knows; the API sees CloudFront's. */
export const viewerHeader = 'x-viewer-address';

/** The header that proves to a stage's firewall that CloudFront forwarded the request. */
export const originHeader = 'x-origin-key';

/** Maps a dashboard path to its file in the bucket, as `siteFileOf` does. */
export const pageCode = `function handler(event) {
  var request = event.request;
  if (request.uri === '/') {
    return { statusCode: 302, statusDescription: 'Found', headers: { location: { value: '${dashboardPath}/' } } };
  }
  if (request.uri === '${operatePath}' || request.uri.indexOf('${operatePath}/') === 0) {
    request.uri = '${dashboardPath}/${operateFile}';
    return request;
  }
  if (request.uri !== '${dashboardPath}' && request.uri.indexOf('${dashboardPath}/') !== 0) {
    return { statusCode: 404, statusDescription: 'Not Found' };
  }
  var name = request.uri.slice(${dashboardPath.length + 1});
  request.uri = '${dashboardPath}/' + (${filePattern}.test(name) ? name : 'index.html');
  return request;
}`;

/**
 * Forwards the browser's address. For IPv6, the 64-bit network is used, because its addresses are too many for any rate
 * limit.
 */
export const apiCode = `function networkOf(ip) {
  if (ip.indexOf('.') >= 0) return ip;
  var halves = ip.split('::');
  var groups = halves[0] ? halves[0].split(':') : [];
  var last = halves[1] ? halves[1].split(':') : [];
  while (groups.length + last.length < 8) groups.push('0');
  var network = groups.concat(last).slice(0, 4);
  return network.map(function (group) { return parseInt(group, 16).toString(16); }).join(':') + '::/64';
}
function handler(event) {
  var request = event.request;
  request.headers['${viewerHeader}'] = { value: networkOf(event.viewer.ip) };
  return request;
}`;
