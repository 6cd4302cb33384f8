/** The code that CloudFront runs for each request to the dashboard's host, in the dialect of its functions. */
import { dashboardPath, filePattern } from '../../dashboard-site.ts';

/** Where the browser is: only CloudFront knows it, the API sees CloudFront's own address. */
export const viewerHeader = 'x-viewer-address';

/** Proves to a stage's firewall that a request came by CloudFront. */
export const originHeader = 'x-origin-key';

/** As `siteFileOf` says, for paths that are the dashboard's: the file of each, which the bucket has under its path. */
export const pageCode = `function handler(event) {
  var request = event.request;
  if (request.uri === '/') {
    return { statusCode: 302, statusDescription: 'Found', headers: { location: { value: '${dashboardPath}/' } } };
  }
  if (request.uri !== '${dashboardPath}' && request.uri.indexOf('${dashboardPath}/') !== 0) {
    return { statusCode: 404, statusDescription: 'Not Found' };
  }
  var name = request.uri.slice(${dashboardPath.length + 1});
  request.uri = '${dashboardPath}/' + (${filePattern}.test(name) ? name : 'index.html');
  return request;
}`;

/** Somebody with IPv6 has a network of 64 bits, with more addresses than any limit could count. */
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
