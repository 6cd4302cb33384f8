/** A substitute for S3's multipart upload that counts the received bytes and stores none of them. */
import { type LocalServer, localServer } from './local-server.ts';

export interface CountingStorage extends LocalServer {
  readonly counted: { bytes: number; parts: number; completed: number };
}

export async function countingStorage(): Promise<CountingStorage> {
  const counted = { bytes: 0, parts: 0, completed: 0 };
  const server = await localServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://storage').searchParams;
    request.on('data', (chunk: Buffer) => {
      if (request.method === 'PUT') counted.bytes += chunk.length;
    });
    request.on('end', () => {
      if (request.method === 'PUT') {
        counted.parts += 1;
        response.writeHead(200, { etag: `"${query.get('partNumber')}"` }).end();
      } else if (query.has('uploads')) {
        response.end('<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>');
      } else {
        counted.completed += 1;
        response.end('<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>');
      }
    });
  });
  return { ...server, counted };
}
