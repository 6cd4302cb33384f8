/**
 * A time stamp authority for tests. OpenSSL makes its time stamps: a different program than the one that requests them.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { localServer } from './local-server.ts';

const configuration = (folder: string) => `
[req]
distinguished_name = name
prompt = no
[name]
CN = Test Time Stamps
O = Example
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[stamps]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[tsa]
default_tsa = here
[here]
serial = ${folder}/serial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ordering = no
tsa_name = no
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`;

/** Starts the authority; `certificate` is the root certificate to trust. */
export async function timeStampAuthority() {
  const folder = await mkdtemp(join(tmpdir(), 'time-stamps-'));
  const openssl = (...args: readonly string[]) => promisify(execFile)('openssl', args, { cwd: folder });
  await writeFile(join(folder, 'cnf'), configuration(folder));
  await writeFile(join(folder, 'serial'), '01');
  for (const key of ['root', 'stamps']) {
    await openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', `${key}.key`);
  }
  const own = ['-config', 'cnf', '-days', '30'];
  await openssl(
    'req',
    '-x509',
    '-new',
    '-key',
    'root.key',
    '-subj',
    '/CN=Test Root',
    '-extensions',
    'authority',
    ...own,
    '-out',
    'root.pem',
  );
  await openssl('req', '-new', '-key', 'stamps.key', '-config', 'cnf', '-out', 'stamps.csr');
  await openssl(
    'x509',
    '-req',
    '-in',
    'stamps.csr',
    '-CA',
    'root.pem',
    '-CAkey',
    'root.key',
    '-CAcreateserial',
    '-days',
    '30',
    '-extfile',
    'cnf',
    '-extensions',
    'stamps',
    '-out',
    'stamps.pem',
  );
  let requests = 0;
  const server = await localServer(async (request, response) => {
    requests += 1;
    const name = String(requests);
    await writeFile(join(folder, `${name}.tsq`), await buffer(request));
    await openssl(
      'ts',
      '-reply',
      '-config',
      'cnf',
      '-section',
      'here',
      '-queryfile',
      `${name}.tsq`,
      '-signer',
      'stamps.pem',
      '-inkey',
      'stamps.key',
      '-out',
      `${name}.tsr`,
    );
    response.end(await readFile(join(folder, `${name}.tsr`)));
  });
  return {
    url: server.url,
    certificate: await readFile(join(folder, 'root.pem'), 'utf8'),
    async close() {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}
