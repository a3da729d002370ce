// Serves a folder on loopback, under any path, as some static host would.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

const TYPES = {
  '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.css': 'text/css',
  '.json': 'application/json', '.svg': 'image/svg+xml', '.png': 'image/png',
};

/** Serves `folder` under `path`, which begins and ends with `/`; everything else is a 404. */
export async function serve(folder, path = '/') {
  const server = createServer(async (request, response) => {
    const asked = new URL(request.url, 'http://page').pathname;
    const file = asked.endsWith('/') ? `${asked}index.html` : asked;
    try {
      if (!file.startsWith(path)) throw new Error('outside');
      const body = await readFile(join(folder, file.slice(path.length)));
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${server.address().port}${path}`,
    close: () => new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    }),
  };
}
